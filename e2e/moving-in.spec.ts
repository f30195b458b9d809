import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "@playwright/test";
import { throwAwayFolder } from "../server/test/cluster";
import { disposeServer, startServer } from "./server";

/* docs/moving-in.md, walked as a firm would: its own file, its own commands, in its order. */

const GUIDE = readFileSync(join("docs", "moving-in.md"), "utf8");
const COMMANDS = blocksOf("sh").flatMap((block) => block.replaceAll("\\\n", " ").split("\n").filter(Boolean));
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

/** What each kind of command says when it has worked. */
const SAID: [RegExp, RegExp][] = [
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

test("the guide for moving in works from its first command to its last, beside a running server", async () => {
  test.setTimeout(180_000);
  const home = throwAwayFolder();
  const folder = join(home, "desk");
  mkdirSync(folder);
  const server = await startServer(SETTINGS);
  try {
    expect(COMMANDS[0]).toBe("npm start");
    expect(FIRM).toContain("asha@firm.example");
    writeFileSync(join(folder, "firm.json"), FIRM.replace(/("u2": \{.*\})/, `$1, ${ROHAN}`));
    writeFileSync(join(folder, "board.json"), JSON.stringify(BOARD));
    for (const command of COMMANDS.slice(1)) {
      await test.step(command, async () => {
        const said = await run(command, { folder, dataDir: server.dataDir });
        const [, expected] = SAID.find(([kind]) => kind.test(`${command} `)) ?? [];
        expect(said, command).toMatch(expected ?? /no such command is known here/);
      });
    }
  } finally {
    await disposeServer(server);
    rmSync(home, { recursive: true, force: true });
  }
});

function blocksOf(language: string): string[] {
  return [...GUIDE.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map(([, block = ""]) => block);
}

/** As a person in that folder: everything that the command prints. */
function run(command: string, { folder, dataDir }: { folder: string; dataDir: string }): Promise<string> {
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
  return new Promise((done) => child.once("close", () => done(said)));
}
