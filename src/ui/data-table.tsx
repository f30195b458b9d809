import type { ComponentProps, CSSProperties, ReactNode } from "react";
import { cn } from "@/lib/cn";

type DataTableProps = {
  /** Names the table. */
  caption: string;
  /** Shows the caption above; else it is for assistive technology only. */
  showCaption?: boolean | undefined;
  /**
   * Widths of the columns, as a grid's template: they hold still while rows come and go, and a long table may give its rows
   * `content-visibility`. Without it the browser makes the columns as wide as their words.
   */
  columns?: string | undefined;
  /** `HeadCell`s, the cells of the one header row. */
  head: ReactNode;
  /** `<tr>`s of `Cell`s; put `aria-busy` on the row that is being saved. */
  children: ReactNode;
  className?: string | undefined;
};

const FIXED = cn(
  "block [&>tbody]:block [&>thead]:block [&_tr]:grid [&_tr]:grid-cols-(--columns)",
  "[&_:is(td,th)]:flex [&_:is(td,th)]:min-w-0 [&_:is(td,th)]:items-center",
  "[&>tbody_:is(td,th)]:h-auto [&>tbody_:is(td,th)]:min-h-[52px]",
);

/** A real table in a card with a sticky head. Below 640 px show a list of cards instead. */
export function DataTable({ caption, showCaption = false, columns, head, children, className }: DataTableProps) {
  const style: CSSProperties & { "--columns"?: string | undefined } = { "--columns": columns };
  return (
    <section
      aria-label={caption}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a long table scrolls in here, also for those without a pointer
      tabIndex={0}
      className={cn(
        "max-h-[80dvh] scroll-pt-12 overflow-auto rounded-card border border-line bg-raised focus-visible:-outline-offset-2",
        className,
      )}
    >
      <table style={style} className={cn("w-full border-separate border-spacing-0 text-body", columns && FIXED)}>
        <caption className={showCaption ? "px-3 py-2 text-start font-medium" : "sr-only"}>{caption}</caption>
        <thead className={columns && "sticky top-0 z-10"}>
          <tr>{head}</tr>
        </thead>
        <tbody className="[&>tr:last-child>*]:border-b-0 [&>tr[aria-busy=true]]:opacity-65">{children}</tbody>
      </table>
    </section>
  );
}

/** A heading of a column. */
export function HeadCell({ className, ...rest }: ComponentProps<"th">) {
  return (
    <th
      scope="col"
      {...rest}
      className={cn(
        "sticky top-0 z-10 h-10 whitespace-nowrap border-line border-b bg-sunken px-3 text-start font-medium text-dense text-ink2",
        className,
      )}
    />
  );
}

type CellProps = ComponentProps<"td"> & {
  /** Names its row: becomes `<th scope="row">`. */
  heading?: boolean | undefined;
};

/** A cell; 52 px rows. */
export function Cell({ heading = false, className, ...rest }: CellProps) {
  const style = cn("h-[52px] border-line border-b px-3 py-2 text-start font-normal", className);
  return heading ? <th scope="row" {...rest} className={style} /> : <td {...rest} className={style} />;
}
