import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { editDraftKey, writeEditDraft } from "@/features/comments/comment-draft";
import { unsavedTexts } from "./task-drafts";

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("sessionStorage", {
    get length() {
      return kept.size;
    },
    key: (at: number) => [...kept.keys()][at] ?? null,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
  });
});
afterEach(() => void vi.unstubAllGlobals());

test("of a task that is lost the edits of its comments are kept too, of nothing else and nobody else", () => {
  const seen = { text: "At noon", editedAt: null };
  const edit = (userId: string, comment: Parameters<typeof editDraftKey>[1], text: string) =>
    writeEditDraft(editDraftKey(userId, comment), { text, mentioned: [], seen });
  edit("me", { id: "1", projectId: "p", taskId: "t" }, "At noon, on the quay");
  edit("me", { id: "2", projectId: "p", taskId: "t" }, "At noon");
  edit("me", { id: "3", projectId: "p", taskId: "other" }, "Elsewhere");
  edit("me", { id: "4", projectId: "p", taskId: null }, "About the project");
  edit("you", { id: "1", projectId: "p", taskId: "t" }, "Somebody else's");
  expect(unsavedTexts("me", { id: "t", checklist: [] })).toEqual(["At noon, on the quay"]);
});
