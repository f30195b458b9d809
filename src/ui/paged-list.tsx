import { type ReactNode, useRef } from "react";
import { cn } from "@/lib/cn";
import type { PagedItems } from "@/lib/paged-list";
import { useNextFocus } from "@/lib/use-next-focus";
import { messageOf } from "@/lib/user-message";
import { Button } from "./button";
import { Delayed } from "./delayed";
import { ErrorState } from "./error-state";

type PagedListProps<Item> = {
  list: PagedItems<Item>;
  /** Announced with the skeleton: "Loading users". */
  label: string;
  skeleton: ReactNode;
  /** Shown instead of an empty list. */
  empty: ReactNode;
  /** "sm" for a list inside a section of a page. */
  size?: "sm" | "md" | undefined;
  children: (items: readonly Item[]) => ReactNode;
};

/** A list that is read in pages: loading, failed with Retry, empty, or its items with "Show more" below them. */
export function PagedList<Item>({ list, label, skeleton, empty, size = "md", children }: PagedListProps<Item>) {
  const { items, error, retry, isRetrying } = list;
  return (
    <Delayed pending={!items && !error} label={label} skeleton={skeleton}>
      {() => {
        if (!items) {
          return (
            <ErrorState
              message={messageOf(error)}
              busy={isRetrying}
              onRetry={retry}
              className={size === "sm" ? "py-6" : undefined}
            />
          );
        }
        return (
          <>
            {items.length === 0 ? empty : children(items)}
            <ShowMore
              list={list}
              label="Show more"
              failure="The older ones could not be loaded."
              size={size}
              className={cn("mt-4", size === "md" && "justify-center")}
            />
          </>
        );
      }}
    </Delayed>
  );
}

type ShowMoreProps = {
  list: Pick<PagedItems<unknown>, "more" | "isLoadingMore" | "hasFailedMore">;
  label: string;
  /** Says that they could not be loaded. */
  failure: string;
  size: "sm" | "md";
  className: string;
};

/** Reads the next page, or tries again. After the last one nothing to see, which has the focus of the button. */
export function ShowMore({
  list: { more, isLoadingMore, hasFailedMore },
  label,
  failure,
  size,
  className,
}: ShowMoreProps) {
  const box = useRef<HTMLDivElement>(null);
  useNextFocus(more !== null, box);
  return (
    <div
      ref={box}
      tabIndex={-1}
      // Out of the flow once it is empty: no gap is left for it.
      className={cn("outline-none", more ? "flex flex-wrap items-center gap-3" : "absolute", more && className)}
    >
      {more && hasFailedMore && <p role="alert">{failure}</p>}
      {more && (
        <Button size={size} busy={isLoadingMore} busyLabel="Loading..." onClick={more}>
          {hasFailedMore ? "Retry" : label}
        </Button>
      )}
    </div>
  );
}
