import { notifyManager, QueryObserver } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { createQueryClient } from "./query-client";

test("what shows an answer learns of it before the code that has waited for it goes on", async () => {
  const queryClient = createQueryClient();
  const shown: unknown[] = [];
  const observer = new QueryObserver(queryClient, { queryKey: ["task"], enabled: false });
  // As the hook does.
  observer.subscribe(notifyManager.batchCalls(({ data }) => shown.push(data)));

  async function save(): Promise<void> {
    const answer = await Promise.resolve("saved");
    queryClient.setQueryData(["task"], answer);
  }
  await save();

  expect(shown).toContain("saved");
});
