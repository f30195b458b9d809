import type { Commit } from "@server/contract/views";
import { expect, test } from "vitest";
import { commitGroups, describeGroup } from "./commit-groups";

const at = (day: number, hour: number) => new Date(2026, 10, day, hour).toISOString();
const project = { id: "p", key: "HBP", title: "Harbour booking portal" };
const login = { id: "t1", number: 1, title: "Login page", completed: true, closes: true };
const tides = { id: "t2", number: 2, title: "Tides", completed: false, closes: false };
function commit(sha: string, date: string, tasks: Commit["tasks"] = []): Commit {
  const written = { message: sha, author: { name: "Rohan Shah", date } };
  return { sha, html_url: null, commit: written, author: null, project, repo: "konkan/harbour", tasks };
}
const text = (items: Commit[], counts: { projectId: string; day: string; count: number }[] = []) =>
  commitGroups({ items, counts }, (id) => ({ q: "Quay lights" })[id]).map((group) => {
    const { name, rest } = describeGroup(group);
    return [group.day, name + rest, group.commits.map(({ sha }) => sha).join("")];
  });

test("commits are grouped by day and task, newest first, each once", () => {
  const items = [
    commit("a", at(20, 18), [login, tides]),
    commit("b", at(20, 17)),
    commit("c", at(20, 9), [login]),
    commit("d", at(19, 9), [tides]),
  ];
  expect(text(items)).toEqual([
    ["2026-11-20", "Login page: 2 changes, finished", "ac"],
    ["2026-11-20", "Harbour booking portal: 1 change", "b"],
    ["2026-11-19", "Tides: 1 change", "d"],
  ]);
});

test("days of projects that are only counted stand among the others; an unknown project is left out", () => {
  const counts = [
    { projectId: "q", day: "2026-11-21", count: 3 },
    { projectId: "q", day: "2026-11-19", count: 1 },
    { projectId: "x", day: "2026-11-19", count: 9 },
  ];
  expect(text([commit("a", at(20, 18))], counts)).toEqual([
    ["2026-11-21", "Quay lights: 3 changes", ""],
    ["2026-11-20", "Harbour booking portal: 1 change", "a"],
    ["2026-11-19", "Quay lights: 1 change", ""],
  ]);
});
