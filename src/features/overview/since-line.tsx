import { useLocation } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { cn } from "@/lib/cn";
import { useSinceLastVisit } from "./use-since-last-visit";

type Parts = typeof import("./overview-parts");
const load = () => import("./overview-parts");

/**
 * "Since Tuesday: 3 tasks done, 2 messages", under a start page's heading: only what takes up its room. What stands in it comes
 * later, so that the pages without news do without its code, and nothing moves. Not by `lazy`, for which the server draws no page.
 */
export function SinceLine({ className }: { className: string }) {
  const { data } = useSinceLastVisit();
  const address = useLocation({ select: ({ searchStr }) => new URLSearchParams(searchStr).get("since") });
  const kinds = [data?.tasksDone, data?.datesMoved, data?.commits, data?.messages];
  const hasNews = kinds.some((kind) => kind && kind.count > 0);
  const parts = useParts(hasNews || address !== null);
  return (
    <>
      {hasNews && data && (
        <div className={cn("flex min-h-11 items-center pointer-fine:min-h-8", className)}>
          {parts && <parts.SinceSentence news={data} />}
        </div>
      )}
      {parts && <parts.ChangesLayer address={address} />}
    </>
  );
}

/** Once they are wanted. When they cannot be fetched, the page stays without them until it is opened again. */
function useParts(isWanted: boolean): Parts | null {
  const [parts, setParts] = useState<Parts | null>(null);
  useEffect(() => {
    if (isWanted) load().then(setParts, () => undefined);
  }, [isWanted]);
  return parts;
}
