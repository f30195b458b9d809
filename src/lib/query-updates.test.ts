import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { beforeEach, expect, test, vi } from "vitest";
import { copiedAt, createReader, holdReads, patchQueries, resumeReads } from "./query-updates";

const NOTES = { queryKey: ["notes"] };
const PEOPLE = { queryKey: ["people"] };

let queryClient: QueryClient;
/** The keys that were fetched, in order. */
let fetched: unknown[];
let answer: (() => void)[];

beforeEach(() => {
  queryClient = new QueryClient();
  fetched = [];
  answer = [];
  for (const { queryKey } of [NOTES, PEOPLE]) {
    queryClient.setQueryData(queryKey, "old");
    new QueryObserver(queryClient, {
      queryKey,
      staleTime: Number.POSITIVE_INFINITY,
      queryFn: () => {
        fetched.push(queryKey[0]);
        return new Promise<string>((resolve) => answer.push(() => resolve("new")));
      },
    }).subscribe(() => {});
  }
});

test("what is outdated while queries are read is read once more afterwards, however often it was outdated", async () => {
  const read = createReader(queryClient);
  const first = read([NOTES]);
  await vi.waitFor(() => expect(fetched).toEqual(["notes"]));
  const later = [read([NOTES]), read([PEOPLE]), read([NOTES, PEOPLE])];
  answer[0]?.();
  await vi.waitFor(() => expect(fetched).toEqual(["notes", "notes", "people"]));
  for (const resolve of answer) resolve();
  await Promise.all([first, ...later]);
  expect(fetched).toEqual(["notes", "notes", "people"]);
});

test("a change that leaves nothing to read holds up nothing that is outdated later", async () => {
  const read = createReader(queryClient);
  await read([]);
  void read([NOTES]);
  await vi.waitFor(() => expect(fetched).toEqual(["notes"]));
});

test("a query that an action under way has changed ahead of the server is left to that action", async () => {
  const read = createReader(queryClient, ({ queryKey }) => queryKey[0] === "notes");
  void read([NOTES, PEOPLE]);
  await vi.waitFor(() => expect(fetched).toEqual(["people"]));
});

test("changes of one burst cost one reading", async () => {
  const read = createReader(queryClient);
  for (let at = 0; at < 5; at += 1) void read([NOTES], { pauseMs: 20 });
  await vi.waitFor(() => expect(fetched).toEqual(["notes"]));
});

test("what changes while a query is read for the first time is read again, on the page and before it is shown", async () => {
  const read = createReader(queryClient);
  const answers: ((text: string) => void)[] = [];
  const queryFn = () => new Promise<string>((resolve) => answers.push(resolve));
  const observed = new QueryObserver(queryClient, { queryKey: ["observed"], queryFn });
  observed.subscribe(() => {});
  const loading = queryClient.fetchQuery({ queryKey: ["loading"], queryFn });
  const reading = read([{ queryKey: ["observed"] }, { queryKey: ["loading"] }]);
  expect(answers).toHaveLength(2);
  for (const resolve of answers.slice()) resolve("old");
  await loading;
  await vi.waitFor(() => expect(answers).toHaveLength(3));
  answers[2]?.("new");
  await reading;
  expect(observed.getCurrentResult().data).toBe("new");
  expect(queryClient.getQueryState(["loading"])).toMatchObject({ data: "old", isInvalidated: true });
});

const EXCLAIM = (text: string) => `${text}!`;

test("a change is written to what is cached, and again to an answer that was on its way", async () => {
  void queryClient.invalidateQueries(NOTES);
  await vi.waitFor(() => expect(fetched).toEqual(["notes"]));
  expect(patchQueries(queryClient, NOTES, EXCLAIM)).toEqual([]);
  expect(queryClient.getQueryData(NOTES.queryKey)).toBe("old!");
  answer[0]?.();
  await vi.waitFor(() => expect(queryClient.getQueryData(NOTES.queryKey)).toBe("new!"));
  expect(fetched).toEqual(["notes"]);
});

test("a change that only the server can apply makes one reading, and so does one of an outdated query", async () => {
  const isNotes = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[0] === "notes";
  const [unknown] = patchQueries(queryClient, { predicate: isNotes }, () => null);
  expect(
    queryClient
      .getQueryCache()
      .findAll(unknown ?? {})
      .map(({ queryKey }) => queryKey),
  ).toEqual([["notes"]]);
  queryClient.setQueryData(["idle"], "old");
  await queryClient.invalidateQueries({ queryKey: ["idle"] });
  expect(patchQueries(queryClient, { queryKey: ["idle"] }, EXCLAIM)).toHaveLength(1);
  expect(queryClient.getQueryState(["idle"])).toMatchObject({ data: "old", isInvalidated: true });
});

test("what the server has refused since is not shown again by a change, also while it is asked again", async () => {
  const refused = { queryKey: ["refused"], retry: false };
  queryClient.setQueryData(refused.queryKey, "old");
  await queryClient.fetchQuery({ ...refused, queryFn: () => Promise.reject(new Error("gone")) }).catch(() => {});
  void queryClient.fetchQuery({ ...refused, queryFn: () => new Promise(() => {}) });
  expect(patchQueries(queryClient, refused, EXCLAIM)).toHaveLength(1);
  expect(queryClient.getQueryState(refused.queryKey)).toMatchObject({ status: "error", data: "old" });
});

test("what an action keeps from being read is read once it has ended, and nothing else", async () => {
  void queryClient.invalidateQueries(NOTES);
  await vi.waitFor(() => expect(fetched).toEqual(["notes"]));
  holdReads(queryClient, NOTES);
  holdReads(queryClient, PEOPLE);
  void createReader(queryClient, () => true)([PEOPLE]);
  for (const filters of [NOTES, PEOPLE]) resumeReads(queryClient, filters);
  await vi.waitFor(() => expect(fetched).toEqual(["notes", "notes", "people"]));
  for (const filters of [NOTES, PEOPLE]) resumeReads(queryClient, filters);
  expect(fetched).toHaveLength(3);
});

test("what is copied from a query that is to be read again shows at once and is read again itself", async () => {
  const copyTo = (name: string) => {
    const copy = new QueryObserver(queryClient, {
      queryKey: [name],
      staleTime: 10_000,
      queryFn: () => {
        fetched.push(name);
        return "new";
      },
      initialData: () => queryClient.getQueryData<string>(["list"]),
      initialDataUpdatedAt: () => copiedAt(queryClient, { queryKey: ["list"] }),
    });
    copy.subscribe(() => {});
    return copy.getCurrentResult().data;
  };
  queryClient.setQueryData(["list"], "old");
  expect(copyTo("early")).toBe("old");
  // Nobody looks at it: it is read again once somebody does.
  await queryClient.invalidateQueries({ queryKey: ["list"] });
  expect(copyTo("late")).toBe("old");
  await vi.waitFor(() => expect(queryClient.getQueryData(["late"])).toBe("new"));
  expect(fetched).toEqual(["late"]);
});
