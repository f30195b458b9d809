import { QueryClient } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import { createApi } from "./trpc";

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
    session: { isExpected: () => false, onEnded: () => false },
  });
  const longest = Array.from({ length: 10 }, (_, at) => `${at}${"\u{1f6a2}".repeat(199)}`);
  expect(await Promise.all(longest.map((q) => client.search.all.query({ q })))).toHaveLength(10);
  expect(urls.length).toBeGreaterThan(1);
  expect(Math.max(...urls.map((url) => url.length))).toBeLessThan(4_100);
});
