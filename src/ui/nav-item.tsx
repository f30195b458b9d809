import type { LucideIcon } from "lucide-react";
import { cloneElement, type FocusEvent, type PointerEvent, type ReactElement, type ReactNode } from "react";
import { cn } from "@/lib/cn";
import { formatCount } from "@/lib/format";
import { CountBadge, countedName } from "./count-badge";
import { useSidebarOpen } from "./sidebar-toggle";
import { useTooltip } from "./tooltip";

type Rendered = ReactElement<{
  "aria-label"?: string | undefined;
  className?: string;
  children?: ReactNode;
  "aria-current"?: "page" | undefined;
  onPointerEnter?: (event: PointerEvent<HTMLElement>) => void;
  onPointerLeave?: () => void;
  onFocus?: (event: FocusEvent<HTMLElement>) => void;
  onBlur?: () => void;
}>;

type NavItemProps = {
  icon: LucideIcon;
  label: string;
  /** How many there are in all, in grey; 0 is not shown. */
  total?: number | undefined;
  /** The total in words, part of the name: "12 people". */
  totalLabel?: string | undefined;
  /** How many wait for the reader, in a badge; 0 is not shown. */
  count?: number | undefined;
  /** The count in words, part of the name: "3 pending". */
  countLabel?: string | undefined;
  /** Sets `aria-current="page"`. Leave it out when the link sets it by itself, as a router's does. */
  active?: boolean | undefined;
  /** The empty link or button this becomes: `<Link to="/x" />`, `<button type="button" onClick={…} />`. */
  render: Rendered;
};

/** A line of the sidebar; in the rail it is its icon with a tooltip, and the badge a dot. */
export function NavItem({ icon: Icon, label, total = 0, count = 0, active, render, ...words }: NavItemProps) {
  const [isOpen] = useSidebarOpen();
  const tooltip = useTooltip({ text: label, side: "right", disabled: isOpen });
  const link = cloneElement(
    render,
    {
      className: cn(
        "group/nav relative flex h-11 w-full items-center gap-2.5 rounded-control border border-transparent px-2.5 text-start font-medium text-body text-ink2 pointer-fine:h-[38px]",
        "transition-colors duration-90 ease-out hover:bg-hover hover:text-ink",
        "aria-[current=page]:border-line aria-[current=page]:bg-raised aria-[current=page]:text-ink",
      ),
      ...currentPage(active),
      "aria-label": nameOf({ label, total, count, ...words }),
      onPointerEnter: tooltip.onPointerEnter,
      onPointerLeave: tooltip.onPointerLeave,
      onFocus: tooltip.onFocus,
      onBlur: tooltip.onBlur,
    },
    <span
      aria-hidden="true"
      className="thread-mark absolute start-[-12px] top-1/2 hidden h-[18px] w-[3px] -translate-y-1/2 rounded-e-pill bg-brand group-aria-[current=page]/nav:block"
    />,
    <Icon size={18} className="shrink-0" />,
    <span className="rail:sr-only truncate">{label}</span>,
    " ",
    <span className="ms-auto flex shrink-0 items-center gap-1">
      {total > 0 && <CountBadge count={total} className="rail:hidden" />}
      {count > 0 && (
        <CountBadge
          count={count}
          label={total > 0 ? words.countLabel : undefined}
          tone="brand"
          drawn={total > 0}
          className={NAV_BADGE}
        />
      )}
    </span>,
  );
  return <li>{link}</li>;
}

/** In the rail a dot over the icon. */
const NAV_BADGE =
  "rail:absolute rail:end-1 rail:top-1 rail:size-2 rail:min-w-2 rail:overflow-hidden rail:px-0 rail:text-transparent";

/** A place in the bottom bar of a phone: the total stands after its label, the badge over its icon. */
export function BottomBarItem({ icon: Icon, label, total = 0, count = 0, active, render, ...words }: NavItemProps) {
  return (
    <li className="group/place min-w-0 flex-auto">
      {cloneElement(
        render,
        {
          className: cn(
            "relative flex size-full flex-col items-center justify-center gap-1 text-ink2 text-meta focus-visible:-outline-offset-2",
            "aria-[current=page]:font-semibold aria-[current=page]:text-ink aria-[current=page]:[&_svg]:text-brand-text",
          ),
          ...currentPage(active),
          "aria-label": nameOf({ label, total, count, ...words }),
        },
        <Icon size={20} />,
        <span className="max-w-full truncate px-1">
          {label}
          {/* Drawn by CSS, as in `CountBadge`. */}
          {total > 0 && <span data-count={formatCount(total)} className={TOTAL} />}
        </span>,
        " ",
        count > 0 && <CountBadge count={count} tone="brand" drawn={total > 0} className={BADGE} />,
      )}
    </li>
  );
}

const TOTAL = "ms-1 font-normal text-ink3 after:content-[attr(data-count)]";

/** Beside the icon; in the last place within the screen, however wide. */
const BADGE = "absolute start-[calc(50%+4px)] top-1 group-last/place:start-auto group-last/place:end-1";

type Counted = Pick<NavItemProps, "label" | "totalLabel" | "countLabel"> & { total: number; count: number };

function nameOf({ label, total, totalLabel, count, countLabel }: Counted): string | undefined {
  return countedName(label, total > 0 ? totalLabel : undefined, count > 0 ? countLabel : undefined);
}

/** Absent when the link decides: `cloneElement` would overwrite its answer with undefined. */
function currentPage(active: boolean | undefined): { "aria-current"?: "page" | undefined } {
  return active === undefined ? {} : { "aria-current": active ? "page" : undefined };
}
