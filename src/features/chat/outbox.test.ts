import { beforeEach, expect, test, vi } from "vitest";
import type { Unsent } from "./chat-cache";

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
  vi.resetModules();
});

const ENTRY: Unsent = {
  clientMessageId: "b",
  partnerId: "p",
  conversationId: null,
  text: "Hello",
  writtenAt: "2026-11-18T10:30:00.000Z",
  state: "sending",
  isAnnounced: false,
};

test("what was on its way when the tab was closed is there in the next one, with its key, to go again", async () => {
  const before = await import("./outbox");
  before.addUnsent("me", ENTRY);
  before.patchUnsent("me", "b", { state: "lost" });
  vi.resetModules();
  const after = await import("./outbox");
  expect(after.unsentOf("me")).toEqual([{ ...ENTRY, state: "lost" }]);
  expect(after.unsentOf("somebody else")).toEqual([]);
});

test("the order of writing holds, also when the clock stands still or goes back", async () => {
  const { addUnsent, unsentOf } = await import("./outbox");
  addUnsent("me", ENTRY);
  addUnsent("me", { ...ENTRY, clientMessageId: "a" });
  addUnsent("me", { ...ENTRY, clientMessageId: "0", writtenAt: "2026-11-18T10:00:00.000Z" });
  expect(unsentOf("me").map(({ clientMessageId }) => clientMessageId)).toEqual(["b", "a", "0"]);
});

test("two tabs that write at once lose nothing, and each receives what the other wrote", async () => {
  const here = await import("./outbox");
  vi.resetModules();
  const there = await import("./outbox");
  const received = vi.fn();
  here.watchUnsent("me", received);
  here.addUnsent("me", ENTRY);
  expect(received).toHaveBeenCalledTimes(1);
  there.addUnsent("me", { ...ENTRY, clientMessageId: "c", writtenAt: "2026-11-18T10:31:00.000Z" });
  otherTab.dispatchEvent(Object.assign(new Event("storage"), { key: "outbox:me:c" }));
  otherTab.dispatchEvent(Object.assign(new Event("storage"), { key: "outbox:somebody:c" }));
  expect(received).toHaveBeenCalledTimes(2);
  for (const tab of [here, there]) {
    expect(tab.unsentOf("me").map(({ clientMessageId }) => clientMessageId)).toEqual(["b", "c"]);
  }
});

test("what was acknowledged or deleted is forgotten, also in the storage", async () => {
  const { addUnsent, dropUnsent, patchUnsent, unsentOf } = await import("./outbox");
  addUnsent("me", ENTRY);
  dropUnsent("me", "b");
  patchUnsent("me", "b", { state: "lost" });
  expect(unsentOf("me")).toEqual([]);
  expect(Object.keys(storage)).toEqual([]);
});

test("a full storage costs what a reload would bring back, not the sending", async () => {
  const { addUnsent, unsentOf } = await import("./outbox");
  isFull = true;
  addUnsent("me", ENTRY);
  expect(unsentOf("me")).toEqual([ENTRY]);
});

test("junk in the storage is ignored, and pages see cheaply whether anything waits", async () => {
  storage["outbox:me:a"] = '{"text":1}';
  storage["outbox:you:a"] = "{";
  const { addUnsent, holdsUnsent, unsentOf } = await import("./outbox");
  expect(unsentOf("me")).toEqual([]);
  expect(unsentOf("you")).toEqual([]);
  expect(holdsUnsent("nobody")).toBe(false);
  addUnsent("nobody", ENTRY);
  expect(holdsUnsent("nobody")).toBe(true);
});
