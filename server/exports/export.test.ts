import { get } from "node:http";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeComments, makeFile, makeProject, makeSession, makeTask, makeUser, type UserRow } from "../../db/factories";
import { appendedRank } from "../../db/ranks";
import { auditEvents, projects, requestReplies, requests, sessions, tasks } from "../../db/schema";
import { makeSignOff } from "../../db/sign-off-factory";
import { MESSAGES } from "../contract/messages";
import type { ExportedProject } from "../contract/views";
import { createTestDatabase, type TestDatabase } from "../test/db";
import { type LiveServer, startLiveServer } from "../test/live-server";
import { sessionCookie } from "../test/session-cookie";
import { defused } from "./csv";
import { type ExportPiece, planExport, readExport } from "./export";

let database: TestDatabase;
let server: LiveServer;
let people: Record<"asha" | "rohan" | "mitali" | "meera" | "pending", UserRow>;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startLiveServer(database);
  const { db } = database;
  people = {
    asha: await makeUser(db, { name: "Asha Kulkarni", accountType: "admin" }),
    rohan: await makeUser(db, { name: "Rohan Shah" }),
    mitali: await makeUser(db, { name: '+ Mitali, called "Mitu"' }),
    meera: await makeUser(db, { name: "Meera Rao", accountType: "client" }),
    pending: await makeUser(db, { accountStatus: "pending" }),
  };
  const { rohan, mitali, meera } = people;
  const at = (minutesAgo: number) => new Date(Date.UTC(2026, 10, 20) - minutesAgo * 60_000);
  const harbour = await makeProject(db, {
    createdBy: rohan.id,
    key: "HBP",
    title: "Harbour booking",
    description: '=1+1\r\nis said, "not" computed',
    status: "on-hold",
    startDate: "2026-11-01",
    dueDate: "2026-12-24",
    clientId: meera.id,
    assignedTo: [rohan.id, mitali.id],
    liveLink: "https://harbour.example/",
    createdAt: at(1),
  });
  await makeTask(db, { projectId: harbour.id, createdBy: rohan.id, title: "  ＝HYPERLINK()", assignedTo: [mitali.id] });
  await makeTask(db, { projectId: harbour.id, createdBy: rohan.id, title: "Naïve ✓, done", status: "completed" });
  await makeProject(db, { createdBy: mitali.id, key: "NIL", title: "Nothing to do", createdAt: at(2) });
  const long = await makeProject(db, { createdBy: mitali.id, key: "LNG", title: "Long list", createdAt: at(3) });
  await db.insert(tasks).values(
    Array.from({ length: 1201 }, (_, index) => ({
      projectId: long.id,
      number: index + 1,
      rank: appendedRank(index + 1),
      title: `Task ${index + 1}`,
      description: "One of many.",
      createdBy: mitali.id,
    })),
  );
});
afterAll(async () => {
  await server.close();
  await database.close();
});

const tokenOf = async ({ id }: UserRow) => (await makeSession(database.db, { userId: id })).token;

async function ask(person: UserRow | null, path: string, headers: Record<string, string> = {}): Promise<Response> {
  const cookie = person && sessionCookie(await tokenOf(person));
  return fetch(`${server.base}/api/export/projects.${path}`, { headers: { ...(cookie && { cookie }), ...headers } });
}

/** RFC 4180, strictly: fields in quotes or without any, rows that end in CRLF. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  const row: string[] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  for (let match = field.exec(text); match; match = field.exec(text)) {
    const [whole, quoted, plain = "", end] = match;
    row.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === "\r\n") rows.push(row.splice(0));
    if (whole === "" || field.lastIndex === text.length) break;
  }
  expect(field.lastIndex, "the whole file was read").toBe(text.length);
  return rows;
}

async function rowsOf(person: UserRow, path = "csv"): Promise<Record<string, string>[]> {
  const answer = await ask(person, path);
  const bytes = new Uint8Array(await answer.arrayBuffer());
  expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  const [head = [], ...rows] = parseCsv(new TextDecoder().decode(bytes));
  return rows.map((cells) => {
    expect(cells).toHaveLength(head.length);
    return Object.fromEntries(head.map((name, at) => [name, cells[at] ?? ""]));
  });
}

test("clients, the pending and the signed-out take nothing out, nor does a page of another site", async () => {
  const refused = [
    [null, 401, MESSAGES.auth.signedOut, { code: "UNAUTHORIZED", reason: "session-ended" }],
    [people.pending, 403, MESSAGES.auth.pending, { code: "FORBIDDEN", reason: "account-pending" }],
    [people.meera, 403, MESSAGES.general.notAllowed, { code: "FORBIDDEN" }],
  ] as const;
  for (const path of ["csv", "json"]) {
    for (const [person, httpStatus, message, details] of refused) {
      const answer = await ask(person, path);
      expect(answer.status).toBe(httpStatus);
      const json = { message, code: expect.any(Number), data: { httpStatus, kind: "domain", ...details } };
      expect(await answer.json()).toEqual({ error: { json } });
    }
    for (const site of ["cross-site", "same-site"]) {
      expect((await ask(people.asha, path, { "sec-fetch-site": site })).status).toBe(403);
    }
    expect((await ask(people.asha, path, { "sec-fetch-site": "none" })).status).toBe(200);
    expect((await ask(people.asha, `${path}?scope=theirs`)).status).toBe(400);
    expect((await ask(people.meera, `${path}?scope=theirs`)).status).toBe(403);
  }
  const sessionsLeft = await database.db.select().from(sessions).where(eq(sessions.userId, people.pending.id));
  expect(sessionsLeft).toEqual([]);
});

test("are counted as writes, and too many are told when to come back", async () => {
  const strict = await startLiveServer({ ...database, env: { rateLimitMultiplier: 0.0005 } });
  const headers = { cookie: sessionCookie(await tokenOf(people.rohan)) };
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => fetch(`${strict.base}/api/export/projects.json`, { headers })),
  );
  const [late] = answers.filter(({ status }) => status === 429);
  expect(Number(late?.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  await Promise.all(answers.map((answer) => answer.text()));
  await strict.close();
});

test("a spreadsheet gets a row for each task, and one for a project without any", async () => {
  const answer = await ask(people.asha, "csv");
  expect(answer.headers.get("content-type")).toContain("text/csv; charset=utf-8");
  expect(answer.headers.get("content-disposition")).toMatch(
    /^attachment; filename="sangam-projects-\d{4}-\d\d-\d\d\.csv"$/,
  );
  await answer.body?.cancel();
  const rows = await rowsOf(people.asha);
  expect(rows).toHaveLength(2 + 1 + 1201);
  expect(rows.slice(0, 3)).toMatchObject([
    {
      "Project key": "HBP",
      Project: "Harbour booking",
      Description: '\'=1+1\r\nis said, "not" computed',
      Status: "On Hold",
      "Start date": "2026-11-01",
      "Due date": "2026-12-24",
      Client: "Meera Rao",
      "Assigned users": 'Rohan Shah; \'+ Mitali, called "Mitu"',
      "Created by": "Rohan Shah",
      "Live link": "https://harbour.example/",
      "Task key": "HBP-1",
      "Task number": "1",
      Task: "'  ＝HYPERLINK()",
      "Task assigned to": '\'+ Mitali, called "Mitu"',
    },
    { "Project key": "HBP", "Task key": "HBP-2", Task: "Naïve ✓, done", "Task status": "Completed" },
    { "Project key": "NIL", Client: "", "Due date": "", "Task key": "", Task: "", "Task number": "" },
  ]);
  expect(rows.slice(3).map((row) => row.Task)).toEqual(Array.from({ length: 1201 }, (_, index) => `Task ${index + 1}`));
});

test("JSON is whole, in the contract's names, and without e-mails", async () => {
  const { db } = database;
  const [harbour] = await db.select().from(projects).where(eq(projects.key, "HBP"));
  const asked = { title: "Tides", text: "Show them", urgency: "high", status: "declined", reason: "Later" } as const;
  const decided = { decidedBy: people.asha.id, decidedAt: new Date("2026-11-20T08:00:00Z") };
  const [request] = await db
    .insert(requests)
    .values({ ...asked, ...decided, projectId: harbour?.id ?? "", createdBy: people.meera.id })
    .returning();
  const signed = {
    projectId: harbour?.id ?? "",
    signerId: people.meera.id,
    askedBy: people.asha.id,
    note: "All of it",
  };
  const sentBack = { status: "changes-requested", decidedBy: people.meera.id, reason: "Not the tides" } as const;
  const { record } = await makeSignOff(db, { ...signed, ...sentBack, decidedAt: new Date("2026-11-21T08:00:00Z") });
  await db.insert(requestReplies).values({ requestId: request?.id ?? "", authorId: people.asha.id, text: "Where?" });
  const answer = await ask(people.asha, "json");
  expect(answer.headers.get("content-disposition")).toMatch(/sangam-projects-\d{4}-\d\d-\d\d\.json"$/);
  const text = await answer.text();
  const exported: { exportedAt: string; projects: ExportedProject[] } = JSON.parse(text);
  expect(Date.now() - Date.parse(exported.exportedAt)).toBeLessThan(60_000);
  expect(exported.projects.map(({ key, tasks: listed }) => [key, listed.length])).toEqual([
    ["HBP", 2],
    ["NIL", 0],
    ["LNG", 1201],
  ]);
  expect(exported.projects[0]).toMatchObject({
    title: "Harbour booking",
    status: "on-hold",
    client: { name: "Meera Rao" },
    requests: [
      {
        ...{ ...asked, author: "Meera Rao", decidedBy: people.asha.displayName, taskNumber: null, files: [] },
        ...{ decidedAt: "2026-11-20T08:00:00.000Z", thread: [{ author: people.asha.displayName, text: "Where?" }] },
      },
    ],
    signOffs: [
      {
        ...{ note: "All of it", status: "changes-requested", reason: "Not the tides", record },
        ...{ askedBy: people.asha.displayName, signer: "Meera Rao", decidedBy: "Meera Rao" },
        decidedAt: "2026-11-21T08:00:00.000Z",
      },
    ],
    tasks: [{ number: 1, title: "  ＝HYPERLINK()", assignedTo: [people.mitali.id] }, { completed: true }],
  });
  expect(exported.projects[0]).not.toHaveProperty("canEdit");
  expect(text).not.toContain("@sangam.example");
});

test("users take out what they see, admins everything or what they take part in", async () => {
  const keysOf = async (person: UserRow, path?: string) =>
    new Set((await rowsOf(person, path)).map((row) => row["Project key"]));
  expect(await keysOf(people.rohan)).toEqual(new Set(["HBP"]));
  expect(await keysOf(people.mitali)).toEqual(new Set(["HBP", "NIL", "LNG"]));
  expect(await keysOf(people.asha, "csv?scope=mine")).toEqual(new Set());
  const nobody = await makeUser(database.db);
  expect(await (await ask(nobody, "json")).json()).toEqual({ exportedAt: expect.any(String), projects: [] });
});

test("comments and names of files come as their reader may see them: a client never has the team's", async () => {
  const { db } = database;
  const { rohan, meera, mitali } = people;
  const { id: projectId } = await makeProject(db, { createdBy: rohan.id, key: "CMT", clientId: meera.id });
  const task = await makeTask(db, { projectId, createdBy: rohan.id, title: "Discussed" });
  await makeComments(db, { projectId, comments: [{ authorId: rohan.id, text: "=Team alone" }] });
  const [forBoth = ""] = await makeComments(db, {
    ...{ projectId, taskId: task.id },
    comments: [
      {
        ...{ authorId: meera.id, visibility: "client", mentions: [mitali.id] },
        text: `Ask @[](person:${mitali.id}), please`,
      },
      ...Array.from({ length: 600 }, (_, at) => ({ authorId: rohan.id, text: `Team ${at + 1}` })),
    ],
  });
  const hung = { uploadedBy: rohan.id, projectId };
  await makeFile(db, { ...hung, name: "ours.txt", visibility: "team" });
  await makeFile(db, { ...hung, name: "theirs.txt", visibility: "client" });
  await makeFile(db, { ...hung, taskId: task.id, name: "our plan.txt", visibility: "team" });
  await makeFile(db, { ...hung, taskId: task.id, commentId: forBoth, name: "in a comment.txt", visibility: "client" });
  const { projects: taken }: { projects: ExportedProject[] } = await (await ask(rohan, "json")).json();
  const whole = taken.find(({ key }) => key === "CMT");
  expect(whole).toMatchObject({ files: ["ours.txt", "theirs.txt"], tasks: [{ files: ["our plan.txt"] }] });
  const first = { author: "Meera Rao", visibility: "client", files: ["in a comment.txt"] };
  const asked = `Ask @${mitali.displayName}, please`;
  expect(whole?.comments.slice(0, 2)).toMatchObject([
    { taskNumber: null, text: "=Team alone", author: "Rohan Shah", visibility: "team" },
    { taskNumber: 1, text: asked, ...first },
  ]);
  expect(whole?.comments.slice(2).map(({ text }) => text)).toEqual(
    Array.from({ length: 600 }, (_, at) => `Team ${at + 1}`),
  );
  const rows = (await rowsOf(rohan)).filter((row) => row["Project key"] === "CMT");
  expect(rows).toHaveLength(1 + 1 + 601);
  expect(rows.slice(0, 3)).toMatchObject([
    { "Task key": "CMT-1", Files: "ours.txt; theirs.txt", "Task files": "our plan.txt", Comment: "" },
    { "Task key": "", Comment: "'=Team alone", "Comment by": "Rohan Shah", Description: "" },
    { "Task key": "CMT-1", Comment: asked, "Comment files": "in a comment.txt" },
  ]);
  // Exports are refused to clients; what they would hold is decided beneath that all the same.
  const actor = { ...meera, displayName: "Meera Rao" };
  const planned = (await planExport(db, { actor, scope: "mine" })).filter(({ id }) => id === projectId);
  const pieces: ExportPiece[] = [];
  for await (const piece of readExport(db, { planned, actor, requireLive: async () => actor })) pieces.push(piece);
  expect(pieces.flatMap(({ comments }) => comments)).toMatchObject([{ text: asked, ...first }]);
  expect(pieces[0]).toMatchObject({ project: { files: ["theirs.txt"] }, tasks: [{ files: [] }] });
  expect(JSON.stringify(pieces)).not.toMatch(/[Tt]eam \d|ours|our plan/);
  await db.delete(projects).where(eq(projects.id, projectId));
});

test("each is audited, with what it held; a refused one is not", async () => {
  const vikram = await makeUser(database.db, { accountType: "admin" });
  await (await ask(vikram, "json")).text();
  await (await ask(vikram, "csv?scope=mine")).text();
  await ask(people.meera, "csv");
  const entries = (personId: string) =>
    database.db.select().from(auditEvents).where(eq(auditEvents.actorId, personId)).orderBy(auditEvents.id);
  expect(await entries(vikram.id)).toMatchObject([
    { kind: "projects.exported", subjectId: null, details: { format: "json", scope: "all", projects: 3 } },
    { kind: "projects.exported", subjectId: null, details: { format: "csv", scope: "mine", projects: 0 } },
  ]);
  expect(await entries(people.meera.id)).toEqual([]);
});

test("a session that ends breaks the download off: there is no half of a file that looks like a whole one", async () => {
  const rohan = await makeUser(database.db);
  const description = "₹".repeat(5000);
  for (let count = 0; count < 3; count += 1) {
    const { id } = await makeProject(database.db, { createdBy: rohan.id });
    await database.db.insert(tasks).values(
      Array.from({ length: 1000 }, (_, index) => {
        const rank = appendedRank(index + 1);
        return { projectId: id, number: index + 1, rank, title: "A task", description, createdBy: rohan.id };
      }),
    );
  }
  const { token } = await makeSession(database.db, { userId: rohan.id });
  // Without fetch, which reads ahead; whatever the buffers between hold, most of 45 MB is not read yet.
  const outcome = await new Promise<string>((resolve, reject) => {
    const asked = get(
      `${server.base}/api/export/projects.csv`,
      { headers: { cookie: sessionCookie(token) } },
      (answer) => {
        answer.once("data", () => {
          answer.pause();
          database.db
            .delete(sessions)
            .where(eq(sessions.userId, rohan.id))
            .then(() => answer.resume(), reject);
        });
        answer.on("end", () => resolve(answer.complete ? "whole" : "cut"));
        answer.on("error", () => resolve("cut"));
      },
    );
    asked.on("error", reject);
  });
  expect(outcome).toBe("cut");
  await database.db.delete(projects).where(eq(projects.createdBy, rohan.id));
});

test("no text begins a formula, and every text can be had back", () => {
  const restored = (cell: string) => (defused(cell) === cell ? cell : cell.replace("'", ""));
  const formulas = [
    "=1",
    "+1",
    "-1",
    "@SUM(A1)",
    "\r1",
    "＝1",
    "＋1",
    "－1",
    "＠A",
    "  =1",
    "\u200b=1",
    "'=1",
    "' -1",
    "﹣1",
  ];
  for (const text of formulas) {
    expect(defused(text)).toBe(`'${text}`);
    expect(restored(defused(text))).toBe(text);
  }
  for (const text of ["", "HBP-12", "a=b", "'quoted'", "12 - 3", "≠ 1", "₹ 5", "https://x.example/?a=1"]) {
    expect(defused(text)).toBe(text);
    expect(restored(defused(text))).toBe(text);
  }
});
