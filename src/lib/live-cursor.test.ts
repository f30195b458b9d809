import { LIVE_CURSOR_HEADER } from "@server/contract/live-cursor";
import type { AppRouter } from "@server/router";
import { QueryClient } from "@tanstack/react-query";
import type { Operation, OperationResultEnvelope, TRPCClientError } from "@trpc/client";
import { observable, observableToPromise } from "@trpc/server/observable";
import { beforeEach, expect, test } from "vitest";
import { createLiveCursors, type LiveCursors } from "./live-cursor";

const PROCESS = "00000000-0000-4000-8000-000000000000";
const OTHER_PROCESS = "11111111-1111-4111-8111-111111111111";
const at = (ms: number, processId = PROCESS) => `${processId}.${ms}`;

let cursors: LiveCursors;
let queryClient: QueryClient;

beforeEach(() => {
  cursors = createLiveCursors();
  queryClient = new QueryClient();
});

type Envelope = OperationResultEnvelope<unknown, TRPCClientError<AppRouter>>;

/** Sends a call. The returned function answers it: with that cursor, or null for a failure. */
function call(path: string, input?: unknown, type: Operation["type"] = "query") {
  let answer: (cursor: string | null) => void = () => {};
  const op: Operation = { id: 1, type, path, input, context: {}, signal: null };
  const sent = cursors.link({})({
    op,
    next: () =>
      observable<Envelope, never>((observer) => {
        answer = (cursor) => {
          const response = new Response(null, cursor === null ? {} : { headers: { [LIVE_CURSOR_HEADER]: cursor } });
          if (cursor !== null) observer.next({ result: { type: "data", data: [] }, context: { response } });
          observer.complete();
        };
      }),
  });
  void observableToPromise(sent).catch(() => {});
  return (cursor: string | null) => answer(cursor);
}

/** Of all queries below that procedure. */
const oldest = (...path: string[]) => cursors.oldest(queryClient.getQueryCache().findAll({ queryKey: [path] }));
const cache = (path: string[], asked: object) => queryClient.setQueryData([path, asked], []);

test("the oldest answer counts, whatever was asked in between", () => {
  cache(["tasks", "list"], { input: { projectId: "a" }, type: "query" });
  cache(["tasks", "list"], { input: { projectId: "b" }, type: "query" });
  call("tasks.list", { projectId: "a" })(at(10));
  call("tasks.list", { projectId: "b" })(at(20));
  call("auth.me")(at(5));
  call("tasks.create", {}, "mutation")(at(30));
  expect(oldest("tasks", "list")).toBe(at(10));
  call("tasks.list", { projectId: "a" })(at(40));
  expect(oldest("tasks", "list")).toBe(at(20));
});

test("a list is as old as its first page, however often one reads on", () => {
  cache(["users", "list"], { input: { status: "active" }, type: "infinite" });
  call("users.list", { status: "active", q: undefined, cursor: undefined, direction: "forward" })(at(10));
  call("users.list", { status: "active", cursor: "x", direction: "forward" })(at(20));
  expect(oldest("users", "list")).toBe(at(10));
});

test("what is still being read is no older than what had been answered when it was asked", () => {
  cache(["chat", "conversations"], { type: "query" });
  call("auth.me")(at(10));
  const answer = call("chat.conversations");
  call("auth.sessions")(at(20));
  expect(oldest("chat", "conversations")).toBe(at(10));
  answer(at(15));
  call("auth.me")(at(30));
  expect(oldest("chat", "conversations")).toBe(at(15));
});

test("a call that fails leaves what the cache holds as old as it was", () => {
  cache(["chat", "conversations"], { type: "query" });
  call("chat.conversations")(at(10));
  call("auth.me")(at(20));
  call("chat.conversations")(null);
  expect(oldest("chat", "conversations")).toBe(at(10));
});

test("there is none for what was asked before any cursor was known, and none across processes", () => {
  expect(oldest("projects", "list")).toBeUndefined();
  cache(["projects", "list"], { input: { scope: "mine" }, type: "query" });
  const answer = call("projects.list", { scope: "mine" });
  call("auth.me")(at(10));
  expect(oldest("projects", "list")).toBeUndefined();
  answer(at(20));
  expect(oldest("projects", "list")).toBe(at(20));
  call("auth.me")(at(30, OTHER_PROCESS));
  expect(oldest("projects", "list")).toBeUndefined();
});

test("a query that the cache has dropped counts no more", () => {
  cache(["audit", "list"], { input: {}, type: "infinite" });
  call("audit.list", {})(at(10));
  call("auth.me")(at(50));
  for (const query of queryClient.getQueryCache().findAll()) cursors.forget(query);
  expect(oldest("audit", "list")).toBe(at(50));
});
