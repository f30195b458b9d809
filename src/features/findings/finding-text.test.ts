import type { Finding } from "@server/contract/views";
import { expect, test } from "vitest";
import { describeCheck, describeFinding, subjectOf } from "./finding-text";

const project = { id: "p", key: "HBP", title: "Harbour", dueDate: "2026-11-24" };
const finding = (kind: Finding["kind"], count: number | null): Finding => ({
  ...{ projectId: "p", taskId: null, kind, since: "2026-11-11T10:00:00.000Z", count, project, task: null },
});

test.each([
  ["no-commits", 12, "In progress, no commit for 12 days"],
  ["commits-after-completion", 3, "Completed, but 3 commits since"],
  ["commits-after-completion", 1, "Completed, but 1 commit since"],
  ["due-soon", 5, "Due tomorrow, 5 open tasks"],
  ["repository-dead", null, "Repository link is dead"],
  ["live-link-dead", null, "Live link does not answer"],
] as const)("%s with %s reads as in the glossary", (kind, count, text) => {
  expect(describeFinding(finding(kind, count), "2026-11-23")).toBe(text);
});

test("a day that is near has a name, and else its date", () => {
  const on = (today: string) => describeFinding(finding("due-soon", 1), today);
  expect(on("2026-11-24")).toBe("Due today, 1 open task");
  expect(on("2026-11-20")).toBe("Due on 24 Nov 2026, 1 open task");
});

test("a task is named with its key and its project", () => {
  expect(subjectOf({ ...finding("no-commits", 9), task: { number: 3, title: "Berths" } })).toEqual({
    ...{ title: "Berths", subtitle: "HBP-3 · Harbour", taskKey: "HBP-3" },
  });
});

test("a check says its status, or what prevented an answer", () => {
  expect(describeCheck({ status: 503, error: null })).toBe("HTTP 503");
  expect(describeCheck({ status: null, error: "unknown-host" })).toBe("The host can't be found");
});
