import { expect, test } from "vitest";
import { boundFeed, createHub, RESYNC } from "./hub";

test("a subscription keeps one bit per subject, however many notifications come before it is read", async () => {
  const hub = createHub();
  const subscription = hub.open();
  subscription.join("project:a");
  subscription.join("joined:u");
  for (let at = 0; at < 1000; at += 1) hub.deliver({ subject: "project:a", topics: ["joined:u"] });
  expect(await subscription.next(undefined)).toEqual({
    subjects: new Set(["project:a"]),
    steps: new Map(),
    resync: false,
    arrivedMs: expect.any(Number),
  });
});

test("what happened to a subject comes in order; of too much at once the earliest is forgotten", async () => {
  const hub = createHub();
  const subscription = hub.open();
  for (const subject of ["project:a", "project:b"] as const) subscription.join(subject);
  const step = (seq: number) => ({ kind: "project-changed", seq }) as const;
  for (let seq = 1; seq <= 3; seq += 1) subscription.notify("project:a", step(seq));
  for (let seq = 1; seq <= 1000; seq += 1) subscription.notify("project:b", step(seq));
  const steps = (await subscription.next(undefined))?.steps;
  expect(steps?.get("project:a")).toEqual([step(1), step(2), step(3)]);
  expect(steps?.get("project:b")?.length).toBeLessThanOrEqual(100);
  expect(steps?.get("project:b")?.at(-1)).toEqual(step(1000));
});

test("a project's first change wakes up at once, and what follows within a tick comes together", async () => {
  const hub = createHub();
  const subscription = hub.open();
  for (const subject of ["project:a", "project:b"] as const) subscription.join(subject);
  const step = (seq: number) => ({ kind: "task-changed", seq }) as const;
  for (let seq = 1; seq <= 40; seq += 1) hub.deliver({ subject: "project:a", topics: [], step: step(seq) });
  hub.deliver({ subject: "project:b", topics: [], step: step(1) });
  expect((await subscription.next(undefined))?.steps).toEqual(
    new Map([
      ["project:a", [step(1)]],
      ["project:b", [step(1)]],
    ]),
  );
  const rest = await subscription.next(undefined);
  expect(rest?.steps.get("project:a")?.map(({ seq }) => seq)).toEqual(Array.from({ length: 39 }, (_, at) => at + 2));
});

test("a notification wakes up who watches its subject or one of its topics, and nobody else", async () => {
  const hub = createHub();
  const subscription = hub.open();
  subscription.join("project:a");
  subscription.leave("project:a");
  subscription.join("joined:u");
  hub.deliver({ subject: "project:a", topics: ["projects"] });
  hub.deliver({ subject: "project:b", topics: ["projects", "joined:u"] });
  expect((await subscription.next(undefined))?.subjects).toEqual(new Set(["project:b"]));
});

test("waiting ends with the signal and with closing, and a closed subscription is forgotten", async () => {
  const hub = createHub();
  const stop = new AbortController();
  const [stopped, closed] = [hub.open(), hub.open()];
  const waiting = [stopped.next(stop.signal), closed.next(undefined)];
  stop.abort();
  closed.close();
  expect(await Promise.all(waiting)).toEqual([null, null]);
  stopped.close();
  expect(hub.size()).toBe(0);
});

test("a connection holds so many streams and no more, and a closed one makes room", () => {
  const hub = createHub();
  const feed = boundFeed(hub, { maxStreams: 2, ended: new AbortController().signal });
  const [first] = [feed.open(), feed.open()];
  expect(() => feed.open()).toThrow("Too many requests");
  first?.close();
  first?.close();
  feed.open();
  expect(() => feed.open()).toThrow("Too many requests");
  expect(hub.size()).toBe(2);
});

test("streams of a connection end with it, and one that is opened after it has ended is closed already", async () => {
  const hub = createHub();
  const connection = new AbortController();
  const feed = boundFeed(hub, { maxStreams: 2, ended: connection.signal });
  const subscription = feed.open();
  connection.abort();
  const late = feed.open();
  late.join("projects");
  let closings = 0;
  for (const closed of [subscription, late]) closed.onClose(() => (closings += 1));
  expect(await Promise.all([subscription, late].map((closed) => closed.next(undefined)))).toEqual([null, null]);
  expect([hub.size(), closings]).toEqual([0, 2]);
});

test("a resync wakes every watcher once", async () => {
  const hub = createHub();
  const subscription = hub.open();
  hub.resyncAll();
  hub.resyncAll();
  expect(await subscription.next(undefined)).toEqual(RESYNC);
});

test("the safety timer wakes each watcher once a round, a part of them at a time, whoever comes and goes", async () => {
  const hub = createHub({ parts: 4 });
  const woken: number[] = [];
  const subscriptions = Array.from({ length: 10 }, (_, at) => {
    const subscription = hub.open();
    void subscription.next(undefined).then((wakeUp) => wakeUp && woken.push(at));
    return subscription;
  });
  for (let part = 0; part < 3; part += 1) hub.resyncPart();
  await new Promise((resolve) => setImmediate(resolve));
  expect(woken).toEqual([0, 2, 4, 6, 8]);
  subscriptions[5]?.close();
  hub.resyncPart();
  await new Promise((resolve) => setImmediate(resolve));
  expect(woken.toSorted((one, other) => one - other)).toEqual([0, 1, 2, 3, 4, 6, 7, 8, 9]);
  for (const subscription of subscriptions) subscription.close();
  hub.resyncPart();
});

test("the safety timer wakes all watchers of one owner at the same moment, also those that came later", async () => {
  const hub = createHub({ parts: 4 });
  const woken: string[] = [];
  const open = (owner: string) => {
    const subscription = hub.open(owner);
    void subscription.next(undefined).then((wakeUp) => wakeUp && woken.push(owner));
    return subscription;
  };
  const subscriptions = [open("asha"), open("rohan"), open("asha")];
  hub.resyncPart();
  subscriptions.push(open("asha"));
  const rounds = [];
  for (let part = 0; part < 3; part += 1) {
    hub.resyncPart();
    await new Promise((resolve) => setImmediate(resolve));
    rounds.push(woken.splice(0));
  }
  expect(rounds.filter((round) => round.length > 0)).toEqual([["asha", "asha", "asha"], ["rohan"]]);
  for (const subscription of subscriptions) subscription.close();
  expect(hub.size()).toBe(0);
});

test("the safety timer wakes a lonely watcher once a round too", async () => {
  const hub = createHub();
  const subscription = hub.open();
  let wakeUps = 0;
  void (async () => {
    while (await subscription.next(undefined)) wakeUps += 1;
  })();
  for (let part = 0; part < 121; part += 1) {
    hub.resyncPart();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(wakeUps).toBe(2);
  subscription.close();
});

test("the safety timer wakes every watcher once a round, also newcomers, while short streams come and go", async () => {
  const PARTS = 60;
  const hub = createHub({ parts: PARTS });
  const gaps: number[] = [];
  let tick = 0;
  const watch = () => {
    const subscription = hub.open();
    let wokenAt = tick;
    const noteGap = () => gaps.push(tick - wokenAt);
    void (async () => {
      while (await subscription.next(undefined)) {
        noteGap();
        wokenAt = tick;
      }
    })();
    return { subscription, noteGap };
  };
  const lasting = Array.from({ length: 10 }, watch);
  let short = watch();
  for (tick = 1; tick <= 10 * PARTS; tick += 1) {
    // Four parts a second: one stream a second, gone with the next.
    if (tick % 4 === 0) {
      short.subscription.close();
      short = watch();
      if (tick % 100 === 0) lasting.push(watch());
    }
    hub.resyncPart();
    await new Promise((resolve) => setImmediate(resolve));
  }
  for (const { noteGap } of lasting) noteGap();
  expect(Math.max(...gaps)).toBeLessThanOrEqual(PARTS);
  for (const { subscription } of [...lasting, short]) subscription.close();
});
