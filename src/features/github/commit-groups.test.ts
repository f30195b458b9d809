import type { Commit, CommitFeed } from "@server/contract/views";
import { expect, test } from "vitest";
import { commitGroups, describeGroup } from "./commit-groups";

const project = { id: "p", key: "HBP", title: "Harbour booking portal" };
const login = { id: "t1", number: 1, title: "Login page", completed: true };
const tides = { id: "t2", number: 2, title: "Tides", completed: false };
function commit(sha: string): Commit {
  const written = { message: sha, author: { name: "Rohan Shah", date: "2026-11-20T09:00:00.000Z" } };
  return { sha, html_url: null, commit: written, author: null, project, repo: "konkan/harbour", tasks: [] };
}
const feed: Pick<CommitFeed, "items" | "counts" | "groups"> = {
  items: ["a", "b", "c"].map(commit),
  counts: [],
  groups: [
    { project, day: "2026-11-20", task: login, count: 12, shas: ["a", "c"] },
    { project, day: "2026-11-20", task: null, count: 1, shas: ["b"] },
    { project, day: "2026-11-19", task: tides, count: 4, shas: [] },
  ],
};
const text = (changes: Partial<typeof feed> = {}) =>
  commitGroups({ ...feed, ...changes }, (id) => ({ q: "Quay lights" })[id]).map((group) => {
    const { name, rest } = describeGroup(group);
    return [group.day, name + rest, group.commits.map(({ sha }) => sha).join("")];
  });

test("groups count all changes of a day, with the commits that are listed", () => {
  expect(text()).toEqual([
    ["2026-11-20", "Login page: 12 changes, finished", "ac"],
    ["2026-11-20", "Harbour booking portal: 1 change", "b"],
    ["2026-11-19", "Tides: 4 changes", ""],
  ]);
});

test("days of projects that are only counted stand among the others; an unknown project is left out", () => {
  const counts = [
    { projectId: "q", day: "2026-11-21", count: 3 },
    { projectId: "q", day: "2026-11-19", count: 1 },
    { projectId: "x", day: "2026-11-19", count: 9 },
  ];
  expect(text({ counts }).map(([day, name]) => `${day} ${name}`)).toEqual([
    "2026-11-21 Quay lights: 3 changes",
    "2026-11-20 Login page: 12 changes, finished",
    "2026-11-20 Harbour booking portal: 1 change",
    "2026-11-19 Tides: 4 changes",
    "2026-11-19 Quay lights: 1 change",
  ]);
});
