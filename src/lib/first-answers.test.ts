import { QueryClient } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { expect, test } from "vitest";
import { seedFirstAnswers } from "./first-answers";
import { createLiveCursors } from "./live-cursor";
import { trpc } from "./trpc";

const CURSOR = "00000000-0000-4000-8000-000000000000.10";
const answered = (json: unknown) => ({ result: { data: { json } } });
const me = { id: "a" };

test("what a document carries is in the cache under the keys of the hooks, with the cursor of its reading", () => {
  const queryClient = new QueryClient();
  const cursors = createLiveCursors();
  const calls = [
    { path: "auth.me" },
    { path: "projects.list", input: { scope: "mine" } },
    { path: "users.list", input: { status: "pending" }, isPaged: true },
    { path: "chat.conversations" },
  ];
  const list = { items: [], nextCursor: null };
  const answers = [answered(me), answered(list), answered(list), { error: {} }];
  seedFirstAnswers(JSON.stringify({ cursor: CURSOR, calls, answers }), { queryClient, cursors });
  expect(queryClient.getQueryData(getQueryKey(trpc.auth.me, undefined, "query"))).toEqual(me);
  expect(queryClient.getQueryData(getQueryKey(trpc.projects.list, { scope: "mine" }, "query"))).toEqual(list);
  const paged = getQueryKey(trpc.users.list, { status: "pending", q: undefined }, "infinite");
  expect(queryClient.getQueryData(paged)).toEqual({ pages: [list], pageParams: [null] });
  expect(queryClient.getQueryData(getQueryKey(trpc.chat.conversations, undefined, "query"))).toBeUndefined();
  expect(cursors.oldest(queryClient.getQueryCache().findAll({ queryKey: [["projects"]] }))).toBe(CURSOR);
});

test("the beginning of a list that is longer than one page is not taken for the list", () => {
  const queryClient = new QueryClient();
  const calls = [{ path: "projects.list", input: { scope: "mine" } }];
  const answers = [answered({ items: [], nextCursor: "x" })];
  seedFirstAnswers(JSON.stringify({ cursor: null, calls, answers }), { queryClient, cursors: createLiveCursors() });
  expect(queryClient.getQueryCache().getAll()).toEqual([]);
});
