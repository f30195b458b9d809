import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { connect } from "../../db/client";
import { startEmbedded } from "../../db/embedded/start";
import { throwAwayFolder } from "../../server/test/cluster";
import { importFileOf } from "../../server/test/import-file";
import { IS_LONG_FORM } from "../long-form";
import { writeRows } from "../rows";
import { disposeServer, startServer, type TestServer } from "../server";

/*
 * docs/moving-in.md, walked as a firm would: its own file, its own commands, in its order; and an import that is killed on the way.
 */

const GUIDE = readFileSync(join("docs", "moving-in.md"), "utf8");
const ALL_COMMANDS = blocksOf("sh").flatMap((block) => block.replaceAll("\\\n", " ").split("\n").filter(Boolean));
/** The short form leaves out the dry runs after which the same import is run. */
const COMMANDS = ALL_COMMANDS.filter((command) => {
  const real = command.replace(" --dry-run", "");
  return IS_LONG_FORM || real === command || !ALL_COMMANDS.includes(real);
});
/** It stands in a sentence: it is for a day that may come. */
const LOST_PHONE = /`(npm run admin -- reset-two-factor [^`]+)`/.exec(GUIDE)?.[1] ?? "";
const FIRM = blocksOf("json")[0] ?? "";
const ROHAN = '"u3": { "displayName": "Rohan K", "email": "rohan@firm.example" }';
const BOARD = {
  id: "5f5e1000aaaaaaaaaaaaaaaa",
  name: "Board",
  lists: ["To do", "Doing", "Done"].map((name, at) => ({ id: `list${at}`, name })),
  members: [{ id: "member", fullName: "Rohan", username: "rohan.k" }],
  cards: [{ id: "5f5e10030000000000000001", name: "Card", idList: "list1", idMembers: ["member"] }],
};
const SETTINGS = {
  ADMIN_PASSWORD: "a-long-password",
  BACKUP_PASSPHRASE: "a sentence that is kept elsewhere",
  DEMO: "0",
};

/** An import is killed after a random time of up to so many times 80 ms. */
const KILLS = IS_LONG_FORM ? Array.from({ length: 10 }, (_, at) => at + 1) : [3];

/** What each kind of command says when it has worked. */
const SAID: [RegExp, RegExp][] = [
  [/ admin -- reset-two-factor /, /asha@firm\.example/],
  [/ admin /, /asha@firm\.example is an admin now/],
  [/ import .*--invite --dry-run/, /Dry run: would import 0 users/],
  [/ import .*--invite/, /Imported 0 users.*\nInvited 2 people/],
  [/ import .*--from trello.*--dry-run/, /would import 0 users, 1 projects, 1 tasks/],
  [/ import .*--dry-run/, /would import 2 users, 1 projects, 1 tasks, 1 conversations, 1 messages/],
  [/ import /, /Imported 2 users, 1 projects, 1 tasks, 1 conversations, 1 messages/],
  [/ doctor /, /ok +database: PostgreSQL .*\n(?:.*\n)*ok +backups: /],
  [/ backup /, /friday\.zip/],
  [/ restore /, /friday\.zip/],
  [/ export /, /everything\.zip/],
];

test("the guide for moving in works from its first command to its last, beside a running server; an import in whose midst server and database die is completed by the next one, without doubles", {
  timeout: 480_000,
}, async () => {
  const home = throwAwayFolder();
  const folder = join(home, "desk");
  mkdirSync(folder);
  const server = await startServer(SETTINGS);
  try {
    expect(COMMANDS[0]).toBe("npm start");
    expect(FIRM).toContain("asha@firm.example");
    writeFileSync(join(folder, "firm.json"), FIRM.replace(/("u2": \{.*\})/, `$1, ${ROHAN}`));
    writeFileSync(join(folder, "board.json"), JSON.stringify(BOARD));
    const walk = async (command: string) => {
      const { said, code } = await begun(command, { folder, dataDir: server.dataDir }).ended;
      const [, expected] = SAID.find(([kind]) => kind.test(`${command} `)) ?? [];
      expect(said, command).toMatch(expected ?? /no such command is known here/);
      expect(code, `${command}: ${said}`).toBe(0);
    };
    for (const command of COMMANDS.slice(1)) await walk(command);
    await writeRows(server, (db) =>
      db.execute(sql`insert into two_factors (user_id, sealed, key_id, enabled_at)
        select id, '', '', now() from users where email = 'asha@firm.example'`),
    );
    await walk(LOST_PHONE);
    await completeKilledImport(server);
  } finally {
    await disposeServer(server);
    rmSync(home, { recursive: true, force: true });
  }
});

async function completeKilledImport(server: TestServer): Promise<void> {
  const count = { users: 40, projects: 60, tasks: 40, messages: 1_500 };
  const { dataDir } = server;
  writeFileSync(join(dataDir, "firm.json"), JSON.stringify(importFileOf(count)));
  let losses = 0;
  const begin = () => begun("npm run import -- firm.json --report report.json", { folder: dataDir, dataDir });
  for (const round of KILLS) {
    const { child, begins, ended } = begin();
    await begins;
    // The moment is a random one: it waits for nothing.
    await sleep(Math.random() * 80 * round);
    process.kill(postmasterOf(dataDir), "SIGKILL");
    await server.kill();
    // It has lost its database: it may end by itself, but not as if it had imported all.
    child.kill("SIGKILL");
    const { said } = await ended;
    expect(said).toMatch(/^Read: /m);
    if (!said.includes("Imported ")) losses += 1;
    await server.start();
  }
  // One that is quicker than its killer proves nothing.
  expect(losses).toBeGreaterThan(IS_LONG_FORM ? 5 : 0);

  expect((await begin().ended).said).toContain("Imported ");
  expect((await begin().ended).said).toContain("Imported 0 users, 0 projects, 0 tasks, 0 conversations, 0 messages.");
  const { connection } = await startEmbedded({ dataDir });
  const client = connect(connection, { max: 1 });
  try {
    const [rows] = await client`
      select (select count(*)::int from users where email ~ '^p[0-9]+@firm.example$') as users,
        (select count(*)::int from projects where task_count = 40 and last_task_number = 40) as projects,
        (select count(*)::int from tasks join projects on projects.id = project_id where task_count = 40) as tasks,
        (select count(*)::int from messages where text like 'Message %') as messages`;
    expect(rows).toEqual({ ...count, tasks: count.projects * count.tasks });
    const texts = await client`select text from messages where text like 'Message %' order by seq`;
    expect(texts.map(({ text }) => text)).toEqual(Array.from({ length: count.messages }, (_, at) => `Message ${at}`));
  } finally {
    await client.end();
  }
}

function postmasterOf(dataDir: string): number {
  return Number(readFileSync(join(dataDir, "pg", "postmaster.pid"), "utf8").split("\n")[0]);
}

function blocksOf(language: string): string[] {
  return [...GUIDE.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map(([, block = ""]) => block);
}

interface Place {
  folder: string;
  dataDir: string;
}

interface Begun {
  child: ChildProcess;
  /** Resolves with its first line. */
  begins: Promise<unknown>;
  /** Everything that it has printed, and its exit code; null where it was killed. */
  ended: Promise<{ said: string; code: number | null }>;
}

/** A command, as a person in that folder would give it. */
function begun(command: string, { folder, dataDir }: Place): Begun {
  const [, setting, name = "", rest = ""] = /^(?:DATA_DIR=(\S+) )?npm run (\S+) --(.*)$/.exec(command) ?? [];
  const child = spawn("sh", ["-c", `exec node '${resolve("scripts/run.mjs")}' ${name} ${rest}`], {
    cwd: folder,
    env: {
      ...{
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        NODE_ENV: "production",
        LOG_LEVEL: "silent",
        INIT_CWD: folder,
      },
      ...SETTINGS,
      DATA_DIR: setting === undefined ? dataDir : resolve(folder, setting),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (said += text));
  const begins = once(child.stdout, "data");
  return { child, begins, ended: new Promise((done) => child.once("close", (code) => done({ said, code }))) };
}
