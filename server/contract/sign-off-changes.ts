import type { SignOffChange, SignOffRecord } from "./views";

/** What is another now than in a record, in the order of a document; null stands for a project that is gone. */
export function signOffChanges(before: SignOffRecord, after: SignOffRecord | null): SignOffChange[] {
  if (!after) return [{ kind: "project-deleted", id: null, name: before.project.title, from: null, to: null }];
  return [
    ...differing("project-title", before.project.key, [before.project.title, after.project.title]),
    ...taskChanges(before, after),
    ...commitChanges(before, after),
    ...differing("live-link", "Live link", [before.liveLink, after.liveLink]),
    ...comings(before.files, after.files, { added: "file-added", removed: "file-removed", nameOf: ({ name }) => name }),
  ];
}

function taskChanges(before: SignOffRecord, after: SignOffRecord): SignOffChange[] {
  const nameOf = ({ number, title }: Task) => `${before.project.key}-${number} ${title}`;
  const changed = before.tasks.flatMap((task) => {
    const present = after.tasks.find(({ id }) => id === task.id);
    if (!present) return [];
    const name = nameOf(task);
    return [
      ...differing("task-title", name, [task.title, present.title]),
      ...differing("task-status", name, [task.status, present.status]),
      ...differing("task-due-date", name, [task.dueDate, present.dueDate]),
    ];
  });
  return [...changed, ...comings(before.tasks, after.tasks, { added: "task-added", removed: "task-removed", nameOf })];
}

type Task = SignOffRecord["tasks"][number];

/** A repository is told by its last commit where that is shown, else by how many it has. */
function commitChanges(before: SignOffRecord, after: SignOffRecord): SignOffChange[] {
  const names = [...new Set([...before.commits, ...after.commits].map(({ repository }) => repository))];
  return names.flatMap((name) => {
    const [one, other] = [before, after].map(({ commits }) => commits.find(({ repository }) => repository === name));
    const isSame = one?.last && other?.last ? one.last.sha === other.last.sha : one?.count === other?.count;
    return isSame ? [] : [{ kind: "commits" as const, id: null, name, from: rangeOf(one), to: rangeOf(other) }];
  });
}

/** `7 commits, the last 1a2b3c4`. */
function rangeOf(range: SignOffRecord["commits"][number] | undefined): string | null {
  if (!range) return null;
  const count = `${range.count} ${range.count === 1 ? "commit" : "commits"}`;
  return range.last ? `${count}, the last ${range.last.sha.slice(0, 7)}` : count;
}

type Kind = SignOffChange["kind"];

function differing(kind: Kind, name: string, [from, to]: [string | null, string | null]): SignOffChange[] {
  return from === to ? [] : [{ kind, id: null, name, from, to }];
}

function comings<Row extends { id: string }>(
  before: readonly Row[],
  after: readonly Row[],
  { added, removed, nameOf }: { added: Kind; removed: Kind; nameOf: (row: Row) => string },
): SignOffChange[] {
  const without = (rows: readonly Row[], others: readonly Row[]) =>
    rows.filter(({ id }) => !others.some((other) => other.id === id));
  return [
    ...without(after, before).map((row) => ({ kind: added, id: row.id, name: nameOf(row), from: null, to: null })),
    ...without(before, after).map((row) => ({ kind: removed, id: row.id, name: nameOf(row), from: null, to: null })),
  ];
}
