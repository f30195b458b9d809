import { beforeEach, expect, test, vi } from "vitest";
import type { Unsent } from "./chat-cache";

const kept = new Map<string, string>();
vi.stubGlobal("sessionStorage", {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
  removeItem: (key: string) => void kept.delete(key),
});

beforeEach(() => {
  kept.clear();
  vi.resetModules();
});

const ENTRY: Unsent = {
  clientMessageId: "a",
  partnerId: "p",
  conversationId: null,
  text: "Hello",
  writtenAt: "2026-11-18T10:30:00.000Z",
  state: "sending",
};

test("what was on its way when the page was left is there after a reload, with its key, to go again", async () => {
  const before = await import("./outbox");
  before.addUnsent("me", ENTRY);
  before.addUnsent("me", { ...ENTRY, clientMessageId: "b", state: "refused" });
  vi.resetModules();
  const after = await import("./outbox");
  expect(after.unsentOf("me")).toEqual([
    { ...ENTRY, state: "lost" },
    { ...ENTRY, clientMessageId: "b", state: "refused" },
  ]);
  expect(after.unsentOf("somebody else")).toEqual([]);
});

test("what was acknowledged or deleted is forgotten, also in the storage", async () => {
  const { addUnsent, dropUnsent, unsentOf } = await import("./outbox");
  addUnsent("me", ENTRY);
  dropUnsent("me", "a");
  expect(unsentOf("me")).toEqual([]);
  expect(kept.size).toBe(0);
});

test("junk in the storage is nothing", async () => {
  kept.set("outbox:me", '[{"text":1},null]');
  kept.set("outbox:you", "{");
  const { unsentOf } = await import("./outbox");
  expect(unsentOf("me")).toEqual([]);
  expect(unsentOf("you")).toEqual([]);
});

test("keys are version 4 ids", async () => {
  const { newMessageId } = await import("./outbox");
  expect(newMessageId()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
