import { stringify } from "csv-stringify/sync";
import { MESSAGES } from "../contract/messages";
import { STATUS_WORDS } from "../contract/status-words";
import type { ExportPiece } from "./export";

/** Excel takes a file without it for one in the code page of the country. */
const BYTE_ORDER_MARK = "\uFEFF";

type Project = ExportPiece["project"];
type Task = ExportPiece["tasks"][number];

/** Each column's heading and what stands in it; people by name, days and instants as they are. */
const PROJECT_COLUMNS: [string, (project: Project) => string | number | null][] = [
  ["Project key", ({ key }) => key],
  ["Project", ({ title }) => defused(title)],
  ["Description", ({ description }) => defused(description)],
  ["Status", ({ status }) => STATUS_WORDS[status]],
  ["Start date", ({ startDate }) => startDate],
  ["Due date", ({ dueDate }) => dueDate],
  ["Client", ({ client }) => client && defused(client.name)],
  ["Assigned users", (project) => defused(peopleNames(project, project.assignedTo))],
  ["Managers", (project) => defused(peopleNames(project, project.managers))],
  ["Type", ({ projectType }) => projectType && defused(projectType)],
  ["GitHub link", ({ githubRepo }) => githubRepo && defused(githubRepo)],
  ["Live link", ({ liveLink }) => liveLink && defused(liveLink)],
  ["Created at", ({ createdAt }) => createdAt],
  ["Created by", (project) => defused(peopleNames(project, [project.createdBy]))],
  ["Updated at", ({ updatedAt }) => updatedAt],
];
const TASK_COLUMNS: [string, (task: Task, project: Project) => string | number | null][] = [
  ["Task key", ({ number }, { key }) => `${key}-${number}`],
  ["Task number", ({ number }) => number],
  ["Task", ({ title }) => defused(title)],
  ["Task description", ({ description }) => defused(description)],
  ["Task status", ({ status }) => STATUS_WORDS[status]],
  ["Task due date", ({ dueDate }) => dueDate],
  ["Task assigned to", ({ assignedTo }, project) => defused(peopleNames(project, assignedTo))],
  ["Task created at", ({ createdAt }) => createdAt],
];
const NO_TASK = TASK_COLUMNS.map(() => null);

/** RFC 4180 with a byte order mark: a row for each task, with its project's columns repeated; a project without tasks has one. */
export async function* csvOf(pieces: AsyncIterable<ExportPiece>): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + lines([[...PROJECT_COLUMNS, ...TASK_COLUMNS].map(([heading]) => heading)]);
  for await (const { project, tasks, isFirst } of pieces) {
    const cells = PROJECT_COLUMNS.map(([, cell]) => cell(project));
    const rows = tasks.map((task) => [...cells, ...TASK_COLUMNS.map(([, cell]) => cell(task, project))]);
    if (rows.length > 0) yield lines(rows);
    else if (isFirst) yield lines([[...cells, ...NO_TASK]]);
  }
}

/** Signs that a spreadsheet may take for the beginning of a formula. */
const FORMULA = /^[=+\-@]/;
/** Nothing that one sees: spaces, tabs, line ends, control and format characters. And the apostrophes of `defused`. */
const UNSEEN = /^[\s\p{C}']*/u;

/**
 * Text that no spreadsheet runs: an apostrophe goes before whatever would begin a formula, also in full-width signs or after
 * spaces, and before a leading tab or line end. The library's own switch looks at the first character only. To have the text
 * back, take away one apostrophe from every cell whose first sign, apostrophes and spaces aside, is one of = + - @ or which
 * holds a tab or line end before it: texts with an apostrophe of their own there have got another one.
 */
export function defused(text: string): string {
  const [unseen = ""] = UNSEEN.exec(text) ?? [];
  // One sign alone: with what combines with it, it would become another.
  const [first = ""] = text.slice(unseen.length, unseen.length + 2);
  return FORMULA.test(first.normalize("NFKC")) || /[\t\r\n]/.test(unseen) ? `'${text}` : text;
}

function peopleNames({ people }: Pick<Project, "people">, ids: readonly string[]): string {
  return ids.map((id) => people.find((person) => person.id === id)?.name ?? MESSAGES.projects.unknownUser).join("; ");
}

function lines(rows: readonly (string | number | null)[][]): string {
  return stringify([...rows], { record_delimiter: "windows" });
}
