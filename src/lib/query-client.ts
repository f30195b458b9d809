import { notifyManager, QueryClient } from "@tanstack/react-query";
import { isRefusal } from "./user-message";

const FRESH_MS = 10_000;
const RETRIES = 2;

/**
 * The one cache of server state. Answers stay on screen while they are fetched again: on focus and on return of the network
 * when older than 10 s. What the server refuses (4xx) is not asked again; anything else twice more.
 */
export function createQueryClient(): QueryClient {
  // What shows an answer learns of it before the code that has waited for it goes on: else, where an action ends, the screen shows
  // for a moment what was there before it.
  notifyManager.setScheduler(queueMicrotask);
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        // Off line a call fails with words at once instead of waiting without any.
        networkMode: "always",
        refetchOnReconnect: true,
        retry: (failures, error) => failures < RETRIES && !isRefusal(error),
      },
      mutations: { networkMode: "always" },
    },
  });
}
