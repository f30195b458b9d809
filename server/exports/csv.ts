import { setImmediate as othersTurn } from "node:timers/promises";
import { stringify } from "csv-stringify/sync";
import { PRIORITY_LABELS, STATUS_LABELS } from "../contract/labels";
import { MESSAGES } from "../contract/messages";
import type { ExportPiece } from "./export";

/** Excel takes a file without it for one in the code page of the country. */
const BYTE_ORDER_MARK = "\uFEFF";

/** Texts of so many characters are written at a time: a piece of 500 long tasks at once kept everybody waiting for seconds. */
const CHARACTERS_AT_ONCE = 64_000;

type Project = ExportPiece["project"];
type Task = ExportPiece["tasks"][number];
type Comment = ExportPiece["comments"][number];
type Cell = string | number | null;

/** Each column's heading and value; people by name, days and instants as they are. */
const PROJECT_COLUMNS: [string, (project: Project) => Cell][] = [
  ["Project key", ({ key }) => key],
  ["Project", ({ title }) => defused(title)],
  ["Description", ({ description }) => defused(description)],
  ["Status", ({ status }) => STATUS_LABELS[status]],
  ["Start date", ({ startDate }) => startDate],
  ["Due date", ({ dueDate }) => dueDate],
  ["Client", ({ client }) => client && defused(client.name)],
  ["Client people", (project) => defused(peopleNames(project, project.clientPeople))],
  ["Assigned users", (project) => defused(peopleNames(project, project.assignedTo))],
  ["Managers", (project) => defused(peopleNames(project, project.managers))],
  ["Type", ({ projectType }) => projectType && defused(projectType)],
  ["GitHub link", ({ githubRepo }) => githubRepo && defused(githubRepo)],
  ["Live link", ({ liveLink }) => liveLink && defused(liveLink)],
  ["Client collaboration", ({ clientCollaboration }) => (clientCollaboration ? "On" : "Off")],
  ["Created at", ({ createdAt }) => createdAt],
  ["Created by", (project) => defused(peopleNames(project, [project.createdBy]))],
  ["Updated at", ({ updatedAt }) => updatedAt],
  ["Files", ({ files }) => defused(files.join("; "))],
];
const TASK_COLUMNS: [string, (task: Task, project: Project) => Cell][] = [
  ["Task key", ({ number }, { key }) => `${key}-${number}`],
  ["Task number", ({ number }) => number],
  ["Task", ({ title }) => defused(title)],
  ["Task description", ({ description }) => defused(description)],
  ["Task status", ({ status }) => STATUS_LABELS[status]],
  ["Task due date", ({ dueDate }) => dueDate],
  ["Task priority", ({ priority }) => PRIORITY_LABELS[priority]],
  ["Task labels", ({ labels }) => defused(labels.join("; "))],
  [
    "Task checklist",
    (task) => defused(task.checklist.map(({ text, done }) => `[${done ? "x" : " "}] ${text}`).join("; ")),
  ],
  ["Task assigned to", ({ assignedTo }, project) => defused(peopleNames(project, assignedTo))],
  ["Task created at", ({ createdAt }) => createdAt],
  ["Task files", ({ files }) => defused(files.join("; "))],
];
const COMMENT_COLUMNS: [string, (comment: Comment) => Cell][] = [
  ["Comment by", ({ author }) => defused(author)],
  ["Comment at", ({ createdAt }) => createdAt],
  ["Comment for", ({ visibility }) => (visibility === "client" ? "Client and team" : "Team")],
  ["Comment", ({ text }) => defused(text)],
  ["Comment files", ({ files }) => defused(files.join("; "))],
];
const NO_TASK = TASK_COLUMNS.map(() => null);
const NO_COMMENT = COMMENT_COLUMNS.map(() => null);

/**
 * RFC 4180 with a byte order mark: a row for each task, with its project's columns repeated, and one for a project without tasks; then
 * a row for each comment, which names its project and its task by their keys.
 */
export async function* csvOf(pieces: AsyncIterable<ExportPiece>): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK +
    csvLines([[...PROJECT_COLUMNS, ...TASK_COLUMNS, ...COMMENT_COLUMNS].map(([heading]) => heading)]);
  for await (const { project, tasks, comments, isFirst } of pieces) {
    const cells = PROJECT_COLUMNS.map(([, cell]) => cell(project));
    let rows: Cell[][] = tasks.length === 0 && isFirst ? [[...cells, ...NO_TASK, ...NO_COMMENT]] : [];
    let length = 0;
    for (const one of [...tasks, ...comments]) {
      const row = "author" in one ? commentRow(one, project) : [...cells, ...taskCells(one, project), ...NO_COMMENT];
      rows.push(row);
      length += lengthOf(row);
      if (length < CHARACTERS_AT_ONCE) continue;
      yield csvLines(rows);
      await othersTurn();
      [rows, length] = [[], 0];
    }
    if (rows.length > 0) yield csvLines(rows);
  }
}

function taskCells(task: Task, project: Project): Cell[] {
  return TASK_COLUMNS.map(([, cell]) => cell(task, project));
}

function commentRow(comment: Comment, { key, title }: Project): Cell[] {
  const { taskNumber } = comment;
  const [ofProject, ofTask] = [[key, defused(title)], taskNumber === null ? [] : [`${key}-${taskNumber}`, taskNumber]];
  return [
    ...PROJECT_COLUMNS.map((_, at) => ofProject[at] ?? null),
    ...TASK_COLUMNS.map((_, at) => ofTask[at] ?? null),
    ...COMMENT_COLUMNS.map(([, cell]) => cell(comment)),
  ];
}

function lengthOf(cells: readonly Cell[]): number {
  return cells.reduce<number>((sum, cell) => sum + (typeof cell === "string" ? cell.length : 0), 0);
}

/** Signs that a spreadsheet may take for the beginning of a formula. */
const FORMULA = /^[=+\-@]/;
/** Nothing that one sees: spaces, tabs, line ends, control and format characters. And the apostrophes of `defused`. */
const UNSEEN = /^[\s\p{C}']*/u;
/** Where half the world's spreadsheets begin another cell, also in the midst of our quotes; and what is unseen after it. */
const ELSEWHERE = /[;\t\r\n][\s\p{C}'";]*/gu;

/**
 * Text that no spreadsheet runs: an apostrophe goes before whatever would begin a formula, also in full-width signs or after
 * spaces, and before a leading tab or line end. The library's own switch looks at the first character only. Where commas are
 * decimal signs a spreadsheet splits at semicolons, and then knows no quotes in the midst of a cell: so signs after a semicolon,
 * tab or line end within a text get an apostrophe too. To have the text back, take away the one right before each such sign;
 * then one from every cell whose first sign, apostrophes and spaces aside, is one of = + - @ or which holds a tab or line end
 * before it.
 */
export function defused(text: string): string {
  const inner = text.replace(ELSEWHERE, (run, at: number) => (isFormula(text, at + run.length) ? `${run}'` : run));
  const [unseen = ""] = UNSEEN.exec(text) ?? [];
  return isFormula(text, unseen.length) || /[\t\r\n]/.test(unseen) ? `'${inner}` : inner;
}

function isFormula(text: string, from: number): boolean {
  // One sign alone: with what combines with it, it would become another.
  const [first = ""] = text.slice(from, from + 2);
  return FORMULA.test(first.normalize("NFKC"));
}

function peopleNames({ people }: Pick<Project, "people">, ids: readonly string[]): string {
  return ids.map((id) => people.find((person) => person.id === id)?.name ?? MESSAGES.projects.unknownUser).join("; ");
}

/** The library quotes its own line end and comma; a cell with any other would break in two. */
const BREAKS_CELLS = /[;\t\r\n]/;

/** Rows as text, each with its line end. */
export function csvLines(rows: readonly Cell[][]): string {
  return stringify([...rows], { record_delimiter: "windows", quoted_match: BREAKS_CELLS });
}
