import { expect, test } from "vitest";
import { notificationSchema } from "./notify";

const PROJECT = "project:01890000-0000-7000-8000-000000000001";

test("of what a newer version notifies, the subject's watchers learn, and what is not known is left out", () => {
  const newer = {
    subject: PROJECT,
    topics: ["projects", "comments", "thread:1"],
    step: { kind: "comment-added", commentId: "c", seq: 8 },
    added: { later: true },
  };
  expect(notificationSchema.parse(newer)).toEqual({ subject: PROJECT, topics: ["projects"], step: undefined });
});

test("what is known arrives as it was sent; a subject that is not known is nobody's", () => {
  const known = { subject: PROJECT, topics: ["projects"], step: { kind: "project-changed", seq: 7 } };
  expect(notificationSchema.parse(known)).toEqual(known);
  expect(notificationSchema.safeParse({ ...known, subject: "comment:1" }).success).toBe(false);
});
