import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { getMutationKey, getQueryKey } from "@trpc/react-query";
import { expect, test, vi } from "vitest";
import type { LiveCache } from "@/lib/live-sync";
import { trpc } from "@/lib/trpc";
import { taskCache } from "./use-tasks";

test("what was not read because of a tick is read after the last of several, whichever project that is in", async () => {
  const queryClient = new QueryClient();
  const live = { queryClient, utils: { tasks: {} } } as LiveCache;
  const begin = (projectId: string) => {
    const cache = taskCache(projectId, live);
    let end = () => {};
    const answered = new Promise<void>((resolve) => {
      end = resolve;
    });
    const action = queryClient.getMutationCache().build(queryClient, {
      mutationKey: getMutationKey(trpc.tasks.setCompleted),
      mutationFn: () => answered,
      onMutate: cache.settle,
      onSettled: () => cache.catchUp(`of ${projectId}`),
    });
    const done = action.execute({ taskId: `of ${projectId}` });
    return () => {
      end();
      return done;
    };
  };
  const read = vi.fn(() => new Promise<[]>(() => {}));
  const queryKey = getQueryKey(trpc.tasks.list, { projectId: "first" }, "query");
  new QueryObserver(queryClient, { queryKey, queryFn: read, initialData: [] }).subscribe(() => {});
  expect(read).toHaveBeenCalledTimes(1);
  const endFirst = begin("first");
  const endSecond = begin("second");
  await vi.waitFor(() => expect(queryClient.isFetching()).toBe(0));
  await endFirst();
  expect(read).toHaveBeenCalledTimes(1);
  await endSecond();
  expect(read).toHaveBeenCalledTimes(2);
});
