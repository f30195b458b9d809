import { useSearch } from "@tanstack/react-router";
import { Suspense } from "react";
import { cn } from "@/lib/cn";
import { LoadFailure } from "@/ui/load-failure";
import { useSteady } from "@/ui/steady";
import { ChangesLayer, SinceSentence } from "./parts";
import type { useSinceLastVisit } from "./use-since-last-visit";

type SinceLineProps = { query: ReturnType<typeof useSinceLastVisit>; className: string };

/**
 * "Since Tuesday: 3 tasks done, 2 messages", under a start page's heading: only what takes up its room, so that nothing moves
 * where its code comes later. What stands below waits for the query.
 */
export function SinceLine({ query, className }: SinceLineProps) {
  const data = useSteady(query.data);
  const address = useSearch({ strict: false, select: ({ since }) => since });
  const kinds = [data?.tasksDone, data?.datesMoved, data?.commits, data?.messages];
  const hasNews = kinds.some((kind) => kind?.count);
  return (
    <>
      {!data && (
        <LoadFailure
          query={query}
          message="What happened since your last visit could not be loaded."
          className={className}
        />
      )}
      {hasNews && data && (
        <div className={cn("flex min-h-11 items-center pointer-fine:min-h-8", className)}>
          <Suspense>
            <SinceSentence news={data} />
          </Suspense>
        </div>
      )}
      <Suspense>{(hasNews || address !== undefined) && <ChangesLayer address={address} />}</Suspense>
    </>
  );
}
