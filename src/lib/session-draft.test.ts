import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readDraft, watchDraft, writeDraft } from "./session-draft";

const ME = {};
const OTHER = {};
const asIs = (kept: unknown) => (typeof kept === "object" ? kept : null);

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
  });
});
afterEach(() => void vi.unstubAllGlobals());

test("what is kept comes back, until it is forgotten", () => {
  writeDraft("one", { title: "Tide" }, ME);
  expect(readDraft("one", asIs)).toEqual({ title: "Tide" });
  expect(readDraft("two", asIs)).toBeNull();
  writeDraft("one", null, ME);
  expect(readDraft("one", asIs)).toBeNull();
});

test("what cannot be read is nothing", () => {
  sessionStorage.setItem("one", "{");
  expect(readDraft("one", asIs)).toBeNull();
  writeDraft("one", { title: 1 }, ME);
  expect(readDraft("one", () => null)).toBeNull();
});

test("the other forms are notified, the writer is not, and an unchanged draft notifies nobody", () => {
  const notified: string[] = [];
  const stop = watchDraft("one", { writer: OTHER, onChange: () => notified.push("other") });
  watchDraft("one", { writer: ME, onChange: () => notified.push("me") });
  watchDraft("two", { writer: OTHER, onChange: () => notified.push("two") });
  writeDraft("one", { title: "Tide" }, ME);
  writeDraft("one", { title: "Tide" }, ME);
  expect(notified).toEqual(["other"]);
  writeDraft("one", null, ME);
  expect(notified).toEqual(["other", "other"]);
  stop();
  writeDraft("one", { title: "Again" }, ME);
  expect(notified).toEqual(["other", "other"]);
});

test("a closed storage costs the draft and nothing else", () => {
  vi.stubGlobal("sessionStorage", {
    getItem: () => {
      throw new Error("closed");
    },
    setItem: () => {
      throw new Error("closed");
    },
  });
  writeDraft("one", { title: "Tide" }, ME);
  expect(readDraft("one", asIs)).toBeNull();
});
