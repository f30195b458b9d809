import { GENERAL_MESSAGES } from "@server/contract/messages/general";
import { QueryClient } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import { createApi, disconnect } from "./trpc";
import { messageOf } from "./user-message";

afterEach(() => vi.unstubAllGlobals());

test("ten of the longest searches at once are sent in requests whose addresses every server takes", async () => {
  const urls: string[] = [];
  vi.stubGlobal("fetch", async (url: string) => {
    urls.push(url);
    const calls = url.slice("/api/trpc/".length, url.indexOf("?")).split(",");
    const answer = { result: { data: { json: { projects: [], tasks: [], people: [] } } } };
    return Response.json(calls.map(() => answer));
  });
  const { client } = createApi({
    queryClient: new QueryClient(),
    session: {
      isExpected: () => false,
      onEnded: () => false,
      onIdentityRefused: async () => false,
    },
  });
  const longest = Array.from({ length: 10 }, (_, at) => `${at}${"\u{1f6a2}".repeat(199)}`);
  expect(await Promise.all(longest.map((q) => client.search.all.query({ q })))).toHaveLength(10);
  expect(urls.length).toBeGreaterThan(1);
  expect(Math.max(...urls.map((url) => url.length))).toBeLessThan(4_100);
});

test("an unchanged list is asked for with its tag and is the very object that is there; the next session has no tags", async () => {
  const asked: (string | null)[] = [];
  vi.stubGlobal("fetch", async (_url: string, { headers, cache }: RequestInit) => {
    const held = new Headers(headers).get("if-none-match");
    asked.push(held);
    expect(cache).toBe("no-store");
    const etag = `W/"${serverState}"`;
    if (held === etag) return new Response(null, { status: 304, headers: { etag: `"${serverState}"` } });
    return Response.json({ result: { data: { json: [serverState] } } }, { headers: { etag } });
  });
  let serverState = "one";
  const { client } = createApi({
    queryClient: new QueryClient(),
    session: {
      isExpected: () => false,
      onEnded: () => false,
      onIdentityRefused: async () => false,
    },
  });
  const ask = (projectId = "p") => client.tasks.list.query({ projectId });
  const first = await ask();
  expect(await ask()).toBe(first);
  expect(await ask()).toBe(first);
  expect(await ask("q")).toEqual(["one"]);
  serverState = "two";
  expect(await ask()).toEqual(["two"]);
  await disconnect();
  expect(await ask()).toEqual(["two"]);
  expect(asked).toEqual([null, 'W/"one"', 'W/"one"', null, 'W/"one"', null]);
});

test("a call that wants a fresh proof is made again once it is given, and refused once it is not", async () => {
  const data = { code: "FORBIDDEN", httpStatus: 403, kind: "domain", reason: "reauthentication-required" };
  const refused = { error: { json: { message: "Confirm that it's you to continue.", code: -32_003, data } } };
  const made = { result: { data: { json: { id: "made" } } } };
  let isProved = false;
  const bodies: unknown[] = [];
  vi.stubGlobal("fetch", async (_url: string, { body }: RequestInit) => {
    bodies.push(body);
    return Response.json([isProved ? made : refused], { status: isProved ? 200 : 403 });
  });
  const answers = [false, true];
  const { client } = createApi({
    queryClient: new QueryClient(),
    session: {
      isExpected: () => true,
      onEnded: () => false,
      async onIdentityRefused() {
        isProved = answers.shift() ?? false;
        return isProved;
      },
    },
  });
  const create = () => client.auth.createApiKey.mutate({ name: "Nightly report", scope: "read" });
  await expect(create()).rejects.toMatchObject({ data: { reason: "reauthentication-required" } });
  expect(await create()).toEqual({ id: "made" });
  expect(new Set(bodies).size).toBe(1);
  expect(bodies).toHaveLength(3);
});

test("a call on a connection that went silent fails like one without a connection, its request is given up, and it may be made again", async () => {
  vi.useFakeTimers();
  const signals: (AbortSignal | null | undefined)[] = [];
  let isSilent = true;
  vi.stubGlobal("fetch", async (_url: string, { signal }: RequestInit) => {
    signals.push(signal);
    if (isSilent) await new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
    return Response.json({ result: { data: { json: ["there"] } } });
  });
  const { client } = createApi({
    queryClient: new QueryClient(),
    session: { isExpected: () => true, onEnded: () => false, onIdentityRefused: async () => false },
  });
  try {
    const calls = [
      client.tasks.list.query({ projectId: "p" }),
      client.projects.byId.query({ projectId: "p" }),
      client.tasks.delete.mutate({ taskId: "t" }),
    ].map((call) => call.catch(messageOf));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await Promise.all(calls)).toEqual(Array(3).fill(GENERAL_MESSAGES.unreachable));
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, true, true]);
    isSilent = false;
    expect(await client.tasks.list.query({ projectId: "p" })).toEqual(["there"]);
  } finally {
    vi.useRealTimers();
  }
});
