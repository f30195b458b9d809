import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";

const WORKER = readFileSync("public/push-worker.js", "utf8");
const ORIGIN = "https://sangam.example";

interface WorkerEvent {
  data?: { json: () => unknown };
  notification?: { close: () => void; data: unknown };
  waitUntil: (work: Promise<unknown>) => void;
}

/** The worker in what a browser gives it; `pages` are open there. */
function startWorker(pages: string[] = []) {
  const done: unknown[][] = [];
  const note =
    (name: string) =>
    (...asked: unknown[]) =>
      done.push([name, ...JSON.parse(JSON.stringify(asked))]);
  const listeners = new Map<string, (event: WorkerEvent) => void>();
  const self = {
    location: { origin: ORIGIN },
    registration: { showNotification: async (...asked: unknown[]) => note("show")(...asked) },
    clients: {
      matchAll: async () => pages.map((url) => ({ url, focus: async () => note("focus")(url) })),
      openWindow: async (url: string) => note("open")(url),
    },
    addEventListener: (name: string, listener: (event: WorkerEvent) => void) => listeners.set(name, listener),
  };
  runInNewContext(WORKER, { self, URL });
  const dispatch = async (name: string, event: Omit<WorkerEvent, "waitUntil">): Promise<unknown[][]> => {
    const work: Promise<unknown>[] = [];
    listeners.get(name)?.({ ...event, waitUntil: (one) => work.push(one) });
    await Promise.all(work);
    return done;
  };
  return { dispatch, close: note("close"), listensTo: [...listeners.keys()] };
}

const PUSH = { title: "HBP-3 Tides", body: "Rohan Desai assigned this to you", url: "/task/HBP-3", tag: "task" };

test("a push shows what it brings, in place of the last one about the same thing", async () => {
  const { dispatch } = startWorker();
  expect(await dispatch("push", { data: { json: () => PUSH } })).toEqual([
    ["show", PUSH.title, { body: PUSH.body, tag: "task", icon: "/icon-192.png", data: { url: "/task/HBP-3" } }],
  ]);
});

test("a click opens the thing, and a page that shows it already comes to the front", async () => {
  const click = (worker: ReturnType<typeof startWorker>) =>
    worker.dispatch("notificationclick", { notification: { close: worker.close, data: { url: "/task/HBP-3" } } });
  expect(await click(startWorker([`${ORIGIN}/dashboard`]))).toEqual([["close"], ["open", `${ORIGIN}/task/HBP-3`]]);
  expect(await click(startWorker([`${ORIGIN}/task/HBP-3`]))).toEqual([["close"], ["focus", `${ORIGIN}/task/HBP-3`]]);
});

test("the worker does nothing else: no request goes through it", () => {
  expect(startWorker().listensTo).toEqual(["push", "notificationclick"]);
});
