import { beforeEach, expect, test, vi } from "vitest";
import type { Outbox, Unsent } from "./outbox";

/** `localStorage` for Node: keys are own properties, as in browsers. */
class FakeStorage {
  [key: string]: unknown;
  getItem(key: string): unknown {
    return this[key] ?? null;
  }
  setItem(key: string, value: string): void {
    if (isFull) throw new Error("full");
    this[key] = value;
  }
  removeItem(key: string): void {
    delete this[key];
  }
}
let isFull = false;
let storage = new FakeStorage();
const otherTab = new EventTarget();
vi.stubGlobal("window", otherTab);

beforeEach(() => {
  isFull = false;
  storage = new FakeStorage();
  vi.stubGlobal("localStorage", storage);
});

interface Note extends Unsent {
  key: string;
  text: string;
}

const ENTRY: Note = {
  key: "b",
  text: "Hello",
  writtenAt: "2026-11-18T10:30:00.000Z",
  state: "sending",
  isAnnounced: false,
};

/** As a tab that has just been opened. */
async function openTab(): Promise<Outbox<Note>> {
  vi.resetModules();
  const { createOutbox, isUnsent } = await import("./outbox");
  return createOutbox<Note>({
    name: "outbox",
    keyOf: ({ key }) => key,
    queueOf: () => "all",
    isEntry: (stored): stored is Note => isUnsent(stored) && "text" in stored && typeof stored.text === "string",
  });
}

test("why an entry was refused outlives the tab; what is stored of it in another shape is no entry", async () => {
  const refusal = { refusal: "Too long.", isFinal: true };
  const before = await openTab();
  before.add("me", { ...ENTRY, state: "refused", ...refusal });
  expect((await openTab()).find("me", "b")).toMatchObject({ state: "refused", ...refusal });
  storage.setItem("outbox:me:b", JSON.stringify({ ...ENTRY, refusal: ["Too long."] }));
  expect((await openTab()).entriesOf("me")).toEqual([]);
});

test("what was on its way when the tab was closed is there in the next one, with its key, to go again", async () => {
  const before = await openTab();
  before.add("me", ENTRY);
  before.patch("me", "b", { state: "lost" });
  const after = await openTab();
  expect(after.entriesOf("me")).toEqual([{ ...ENTRY, state: "lost" }]);
  expect(after.find("me", "b")).toEqual({ ...ENTRY, state: "lost" });
  expect(after.entriesOf("somebody else")).toEqual([]);
});

test("the order of writing holds, also when the clock stands still or goes back", async () => {
  const outbox = await openTab();
  outbox.add("me", ENTRY);
  outbox.add("me", { ...ENTRY, key: "a" });
  outbox.add("me", { ...ENTRY, key: "0", writtenAt: "2026-11-18T10:00:00.000Z" });
  expect(outbox.entriesOf("me").map(({ key }) => key)).toEqual(["b", "a", "0"]);
});

test("two tabs that write at once lose nothing, and each receives what the other wrote", async () => {
  const here = await openTab();
  const there = await openTab();
  const received = vi.fn();
  here.watch("me", received);
  here.add("me", ENTRY);
  expect(received).toHaveBeenCalledTimes(1);
  there.add("me", { ...ENTRY, key: "c", writtenAt: "2026-11-18T10:31:00.000Z" });
  otherTab.dispatchEvent(Object.assign(new Event("storage"), { key: "outbox:me:c" }));
  otherTab.dispatchEvent(Object.assign(new Event("storage"), { key: "outbox:somebody:c" }));
  expect(received).toHaveBeenCalledTimes(2);
  for (const tab of [here, there]) {
    expect(tab.entriesOf("me").map(({ key }) => key)).toEqual(["b", "c"]);
  }
});

test("what was acknowledged or deleted is forgotten, also in the storage", async () => {
  const outbox = await openTab();
  outbox.add("me", ENTRY);
  outbox.remove("me", "b");
  outbox.patch("me", "b", { state: "lost" });
  expect(outbox.entriesOf("me")).toEqual([]);
  expect(Object.keys(storage)).toEqual([]);
});

test("a full storage costs what a reload would bring back, not the sending", async () => {
  const outbox = await openTab();
  isFull = true;
  outbox.add("me", ENTRY);
  expect(outbox.entriesOf("me")).toEqual([ENTRY]);
});

test("junk in the storage is ignored, and pages see cheaply whether anything waits", async () => {
  storage["outbox:me:a"] = '{"text":1}';
  storage["outbox:you:a"] = "{";
  const outbox = await openTab();
  expect(outbox.entriesOf("me")).toEqual([]);
  expect(outbox.entriesOf("you")).toEqual([]);
  expect(outbox.holdsAny("nobody")).toBe(false);
  outbox.add("nobody", ENTRY);
  expect(outbox.holdsAny("nobody")).toBe(true);
});
