import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";

/**
 * True until each of these queries has been answered, or has failed once, for the first time: what stands above a list would push it
 * down if it came later. It is never true again: a retry hides nothing.
 */
export function useFirstTry(
  queries: readonly Pick<UseQueryResult, "isLoading" | "failureCount" | "dataUpdatedAt">[],
): boolean {
  // All of them are read to the end: what changes while the list still waits is drawn with it.
  const tries = queries.map(
    ({ isLoading, failureCount, dataUpdatedAt }) => isLoading && failureCount === 0 && dataUpdatedAt === 0,
  );
  const isTrying = tries.includes(true);
  const [isOver, setOver] = useState(!isTrying);
  if (!isOver && !isTrying) setOver(true);
  return !isOver && isTrying;
}
