import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";

/**
 * True until each of these queries has been answered, or has failed once, for the first time: what stands above a list would push it
 * down if it came later. It is never true again: a retry hides nothing.
 */
export function useFirstTry(queries: readonly Pick<UseQueryResult, "isLoading" | "failureCount">[]): boolean {
  const isTrying = queries.some(({ isLoading, failureCount }) => isLoading && failureCount === 0);
  const [isOver, setOver] = useState(!isTrying);
  if (!isOver && !isTrying) setOver(true);
  return !isOver && isTrying;
}
