import { InfiniteQueryObserver, QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { nextPageOf } from "./paged-list";

/** A list of two pages whose readings end when they are let, in order. */
function makeList() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const readings: { page: number; end: () => void }[] = [];
  const observer = new InfiniteQueryObserver(client, {
    queryKey: ["list"],
    queryFn: ({ pageParam }) =>
      new Promise<{ page: number }>((resolve) =>
        readings.push({ page: pageParam, end: () => resolve({ page: pageParam }) }),
      ),
    initialPageParam: 0,
    getNextPageParam: ({ page }) => (page === 0 ? 1 : null),
  });
  observer.subscribe(() => {});
  const pages = () => observer.getCurrentResult().data?.pages.map(({ page }) => page);
  const readingOf = (count: number) => expect.poll(() => readings.length).toBe(count);
  return { client, readings, observer, pages, readingOf };
}

test("a next page that a change of the list breaks off is asked for again", async () => {
  const { client, readings, observer, pages, readingOf } = makeList();
  readings[0]?.end();
  await expect.poll(pages).toEqual([0]);
  const more = nextPageOf(observer.getCurrentResult())?.();
  await readingOf(2);
  void client.invalidateQueries({ queryKey: ["list"] });
  await readingOf(3);
  readings[2]?.end();
  await readingOf(4);
  readings[3]?.end();
  await more;
  expect(readings.map(({ page }) => page)).toEqual([0, 1, 0, 1]);
  expect(pages()).toEqual([0, 1]);
});

test("a next page that is asked for while the list is read again waits for it, and loses none of it", async () => {
  const { client, readings, observer, pages, readingOf } = makeList();
  readings[0]?.end();
  await expect.poll(pages).toEqual([0]);
  void client.invalidateQueries({ queryKey: ["list"] });
  await readingOf(2);
  const more = nextPageOf(observer.getCurrentResult())?.();
  readings[1]?.end();
  await readingOf(3);
  readings[2]?.end();
  await more;
  expect(readings.map(({ page }) => page)).toEqual([0, 0, 1]);
  expect(pages()).toEqual([0, 1]);
});

test("after the last page there is nothing to ask for", async () => {
  const { readings, observer, pages } = makeList();
  readings[0]?.end();
  await expect.poll(pages).toEqual([0]);
  const more = nextPageOf(observer.getCurrentResult())?.();
  await expect.poll(() => readings.length).toBe(2);
  readings[1]?.end();
  await more;
  expect(nextPageOf(observer.getCurrentResult())).toBeNull();
});
