import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { csvOf, defused } from "./csv";
import type { ExportPiece } from "./export";

const rohan = { id: randomUUID(), name: "Rohan Shah", accountType: "user", profileImgLink: null } as const;
const project: ExportPiece["project"] = {
  id: randomUUID(),
  key: "HBP",
  title: "Harbour booking",
  description: "Berths for small ships",
  status: "todo",
  startDate: "2026-11-01",
  dueDate: null,
  githubRepo: null,
  liveLink: null,
  clientId: null,
  client: null,
  clientPeople: [],
  assignedTo: [rohan.id],
  managers: [],
  people: [rohan],
  files: [],
  statusUpdates: [],
  requests: [],
  signOffs: [],
  projectType: null,
  clientCollaboration: false,
  statusReminder: false,
  commitView: { mode: "titles", maskedWords: [] },
  taskCounts: { total: 0, completed: 0 },
  createdAt: "2026-11-01T09:00:00.000Z",
  createdBy: rohan.id,
  updatedAt: "2026-11-01T09:00:00.000Z",
  version: 1,
};
const taskOf = (number: number, description: string): ExportPiece["tasks"][number] => ({
  id: randomUUID(),
  number,
  projectId: project.id,
  title: `Task ${number}`,
  description,
  status: "todo",
  completed: false,
  dueDate: null,
  priority: "none",
  checklist: [],
  labels: [],
  files: [],
  assignedTo: [],
  createdAt: "2026-11-01T09:00:00.000Z",
  createdBy: rohan.id,
  version: 1,
});

async function* pieces(...all: Partial<ExportPiece>[]): AsyncGenerator<ExportPiece> {
  for (const piece of all) yield { project, tasks: [], comments: [], isFirst: true, isLast: true, ...piece };
}

async function written(description: string): Promise<string> {
  let text = "";
  for await (const part of csvOf(pieces({ project: { ...project, description } }))) text += part;
  return text;
}

test.each(["\n", "\r", "\r\n", ";", "\t", ",", '"'])("text with %j in it stays in one cell", async (sign) => {
  const description = `Berths${sign}ships`;
  expect(await written(description)).toContain(`,"${description.replaceAll('"', '""')}",`);
});

test("no line of a text, and nothing after a semicolon or tab, begins a formula where a file is split there", () => {
  const cases = {
    "Rows\n=1": "Rows\n'=1",
    "Rows\r\n\r\n  -1": "Rows\r\n\r\n  '-1",
    "Name;@SUM(A1)": "Name;'@SUM(A1)",
    "Name; ＝1": "Name; '＝1",
    "Tab\t\u200b+1": "Tab\t\u200b'+1",
    'Quote;"=1': "Quote;\"'=1",
    "Again;'=1": "Again;''=1",
    "=1;=2": "'=1;'=2",
    "\n=1": "'\n'=1",
  };
  for (const [text, safe] of Object.entries(cases)) expect(defused(text)).toBe(safe);
  for (const text of ["a; b = c", "one\ntwo - three", "x;;\n"]) expect(defused(text)).toBe(text);
});

test("a checklist begins no formula where a file is split at semicolons", async () => {
  const task = { ...taskOf(1, "About it."), checklist: [{ id: randomUUID(), text: "Call;=1+1", done: false }] };
  let text = "";
  for await (const part of csvOf(pieces({ tasks: [task] }))) text += part;
  expect(text).toContain("[ ] Call;'=1+1");
});

test("what stands between a separator and a formula takes time in proportion to its length", () => {
  const startedAt = performance.now();
  defused(`${"\n".repeat(1_000_000)}x`);
  expect(performance.now() - startedAt).toBeLessThan(5000);
});

test("a piece of very long texts is written in small parts, between which other work has its turn", async () => {
  const long = '₹, "x"\n'.repeat(714);
  const tasks = Array.from({ length: 200 }, (_, at) => taskOf(at + 1, long));
  let turns = 0;
  const count = setInterval(() => {
    turns += 1;
  });
  const parts: string[] = [];
  for await (const part of csvOf(pieces({ project: { ...project, description: long }, tasks }))) parts.push(part);
  clearInterval(count);
  expect(parts.length).toBeGreaterThan(20);
  expect(Math.max(...parts.map((part) => part.length))).toBeLessThan(150_000);
  expect(turns).toBeGreaterThan(10);
  expect(parts.join("").match(/"Task \d+"|,Task \d+,/g)).toHaveLength(200);
});
