import type { Commit, CommitFeed, ProjectChangeStep, Task } from "@server/contract/views";
import { describe, expect, test } from "vitest";
import { today } from "@/lib/format";
import { authorOf, byDay, commitKey, cutTitle, formatCommitDate, partsOf, renameIn } from "./commit-text";

test("a title of 70 letters stays whole, one of 71 is cut at 70", () => {
  expect(cutTitle("x".repeat(70))).toBe("x".repeat(70));
  expect(cutTitle("x".repeat(71))).toBe(`${"x".repeat(70)}...`);
});

test("an emoji and a letter with its marks count as one and are never cut in two", () => {
  const family = "👩‍👩‍👧";
  expect(cutTitle(family.repeat(70))).toBe(family.repeat(70));
  expect(cutTitle(`${"x".repeat(69)}${family}y`)).toBe(`${"x".repeat(69)}${family}...`);
  expect(cutTitle("नि".repeat(71))).toBe(`${"नि".repeat(70)}...`);
});

test("no blank stands before the dots", () => {
  expect(cutTitle(`${"x".repeat(69)} y`)).toBe(`${"x".repeat(69)}...`);
});

test("the first line is the title, the rest is the body", () => {
  expect(partsOf("Move the tide table\n\nIt stood below.\n- twice\n")).toEqual({
    title: "Move the tide table",
    body: "It stood below.\n- twice",
  });
  expect(partsOf("Move the tide table")).toEqual({ title: "Move the tide table", body: "" });
  expect(partsOf("\n \n")).toEqual({ title: "No message", body: "" });
});

test("an author has the name of the commit, and the login if GitHub knows the account", () => {
  expect(authorOf(commitAt("2026-11-20T09:00:00.000Z"))).toBe("Rohan Shah");
  const author = { login: "rohan-shah", avatar_url: null };
  expect(authorOf({ ...commitAt("2026-11-20T09:00:00.000Z"), author })).toBe("Rohan Shah (rohan-shah)");
  const named = { author: { name: "rohan-shah", date: "2026-11-20T09:00:00.000Z" }, message: "Move the tide table" };
  expect(authorOf({ commit: named, author })).toBe("rohan-shah");
});

test("a commit shows its date, also where no heading gives the day", () => {
  const at = (day: number) => new Date(2026, 10, day, 9, 5).toISOString();
  expect(formatCommitDate(at(19), "2026-11-20")).toBe("19 Nov 2026, 09:05");
  const now = today();
  expect(formatCommitDate(new Date(`${now}T09:05`).toISOString(), now)).toBe("Today 09:05");
});

test("commits are grouped by the reader's days and keep their order", () => {
  const at = (day: number, hour: number) => commitAt(new Date(2026, 10, day, hour).toISOString());
  const [third, second, first] = [at(20, 18), at(20, 0), at(19, 23)];
  expect(byDay([third, second, first])).toEqual([
    ["2026-11-20", [third, second]],
    ["2026-11-19", [first]],
  ]);
  expect(byDay([])).toEqual([]);
});

test("the same commit under two projects has two keys", () => {
  const one = commitAt("2026-11-20T09:00:00.000Z");
  expect(commitKey(one)).not.toBe(commitKey({ ...one, project: { ...one.project, id: "q" } }));
});

describe("a task changed elsewhere", () => {
  const project = { id: "p", key: "HBP", title: "Harbour booking portal" };
  const named = (id: string) => ({ id, number: 4, key: "HBP-4", title: "Old", completed: false, closes: true });
  const commit = { ...commitAt("2026-11-20T09:00:00.000Z"), tasks: [named("one"), named("two")] };
  const foreign = { ...commit, project: { ...project, id: "q" } };
  const feed: CommitFeed = {
    items: [commit, foreign],
    counts: [],
    groups: [],
    hiddenProjects: 0,
    problems: [],
    skipped: [],
    repositories: 1,
    refreshing: 0,
    refreshedAt: null,
    tokenConfigured: true,
  };
  const step = (kind: ProjectChangeStep["kind"], taskId: string, task: Task | null): ProjectChangeStep => ({
    kind,
    taskId,
    task,
  });
  const namesAfter = (...steps: ProjectChangeStep[]) =>
    renameIn(feed, { project, steps })?.items.map(({ tasks }) =>
      tasks.map(({ id, title, completed }) => [id, title, completed]),
    );

  test("shows its title and its tick beside the commits that name it, and only there", () => {
    const before = [
      ["one", "Old", false],
      ["two", "Old", false],
    ];
    expect(namesAfter(step("task-changed", "one", task("one", { title: "New", completed: true })))).toEqual([
      [
        ["one", "New", true],
        ["two", "Old", false],
      ],
      before,
    ]);
    expect(namesAfter(step("task-changed", "elsewhere", task("elsewhere")))).toEqual([before, before]);
  });

  test("goes from the commits when it is gone", () => {
    const [own, other] =
      namesAfter(step("task-removed", "one", null), step("task-completed", "two", task("two", { completed: true }))) ??
      [];
    expect(own).toEqual([["two", "A task", true]]);
    expect(other).toHaveLength(2);
  });

  test("is shown as it is in its groups, which the server makes anew when it is gone", () => {
    const group = { project, day: "2026-11-20", task: named("one"), count: 12, shas: [] };
    const groupsAfter = (changed: ProjectChangeStep) =>
      renameIn({ ...feed, groups: [group] }, { project, steps: [changed] });
    expect(
      groupsAfter(step("task-completed", "one", task("one", { title: "New", completed: true })))?.groups,
    ).toMatchObject([{ task: { title: "New", completed: true }, count: 12 }]);
    expect(groupsAfter(step("task-changed", "two", task("two")))?.groups).toEqual([group]);
    expect(groupsAfter(step("task-removed", "one", null))).toBeNull();
  });

  test("makes the server be asked when it is new and a commit of its project may name it, in any letters", () => {
    const says = (message: string, by = commit): CommitFeed => ({
      ...feed,
      items: [{ ...by, commit: { ...by.commit, message } }],
    });
    const created = [step("task-created", "new", task("new", { number: 7 }))];
    expect(renameIn(says("Closes hbp-7."), { project, steps: created })).toBeNull();
    expect(renameIn(says("Closes HBP-8."), { project, steps: created })?.items).toHaveLength(1);
    expect(renameIn(says("Closes HBP-7.", foreign), { project, steps: created })?.items).toHaveLength(1);
  });
});

function task(id: string, fields: Partial<Task> = {}): Task {
  return {
    id,
    number: 4,
    rank: "a0",
    projectId: "p",
    title: "A task",
    description: "What to do",
    status: "todo",
    completed: false,
    dueDate: null,
    priority: "none",
    checklist: [],
    labelIds: [],
    assignedTo: [],
    createdAt: "2026-11-01T00:00:00.000Z",
    createdBy: "someone",
    version: 2,
    ...fields,
  };
}

function commitAt(date: string): Commit {
  return {
    sha: "a1b2c3d4",
    html_url: "https://github.com/konkan/harbour/commit/a1b2c3d4",
    commit: { message: "Move the tide table", author: { name: "Rohan Shah", date } },
    author: null,
    project: { id: "p", key: "HBP", title: "Harbour booking portal" },
    repo: "konkan/harbour",
    tasks: [],
  };
}
