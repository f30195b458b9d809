import type { ReactNode } from "react";
import { cn } from "@/lib/cn";
import type { PagedItems } from "@/lib/paged-list";
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
  const { items, error, retry, isRetrying, more, isLoadingMore, hasFailedMore } = list;
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
            {more && (
              <div className={cn("mt-4 flex flex-wrap items-center gap-3", size === "md" && "justify-center")}>
                {hasFailedMore && <p role="alert">The older ones could not be loaded.</p>}
                <Button size={size} busy={isLoadingMore} busyLabel="Loading..." onClick={more}>
                  {hasFailedMore ? "Retry" : "Show more"}
                </Button>
              </div>
            )}
          </>
        );
      }}
    </Delayed>
  );
}
