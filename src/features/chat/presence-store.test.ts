import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { forgetPresence, isOnline, isTyping, receivePresence, stopTyping } from "./presence-store";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  forgetPresence();
  vi.useRealTimers();
});

const TYPING = { type: "typing", userId: "meera", conversationId: "c" } as const;

test("everyone comes first and replaces what was known; then each comes and goes", () => {
  expect(isOnline("meera")).toBe(false);
  receivePresence({ type: "everyone", userIds: ["meera"] });
  receivePresence({ type: "presence", userId: "tara", isPresent: true });
  expect(["meera", "tara"].map(isOnline)).toEqual([true, true]);
  receivePresence({ type: "presence", userId: "meera", isPresent: false });
  expect(["meera", "tara"].map(isOnline)).toEqual([false, true]);
  receivePresence({ type: "everyone", userIds: ["meera"] });
  expect(["meera", "tara"].map(isOnline)).toEqual([true, false]);
});

test("typing ends 6 s after its last sign, with its message, or when its person leaves", () => {
  receivePresence(TYPING);
  vi.advanceTimersByTime(5_000);
  receivePresence(TYPING);
  vi.advanceTimersByTime(5_999);
  expect(isTyping("c")).toBe(true);
  vi.advanceTimersByTime(1);
  expect(isTyping("c")).toBe(false);
  receivePresence(TYPING);
  expect(isTyping("another")).toBe(false);
  stopTyping("c");
  expect(isTyping("c")).toBe(false);
  receivePresence(TYPING);
  receivePresence({ type: "presence", userId: "meera", isPresent: false });
  expect(isTyping("c")).toBe(false);
});

test("without a connection nobody is online and nobody types", () => {
  receivePresence({ type: "everyone", userIds: ["meera"] });
  receivePresence(TYPING);
  forgetPresence();
  expect([isOnline("meera"), isTyping("c")]).toEqual([false, false]);
});
