import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findProgram } from "../../scripts/find-program.mjs";
import { mailsTo } from "../mail";
import { startMixedLoad } from "../mixed-load";
import { type ProxiedServers, startProxiedServers } from "../proxied-servers";

const HAS_NGINX = (await findProgram("nginx")) !== null;
const FORMER_FILE = "/assets/former-0a1b2c3d.js";
const MAILED = ["mitali", "meera", "vikram"].map((name) => `${name}@sangam.example`);

/** A built checkout of the version before: this one, with a file that this one lacks. */
let former: string;
let proxied: ProxiedServers;

beforeAll(async () => {
  if (!HAS_NGINX) return;
  former = mkdtempSync(join(tmpdir(), "sangam-former-"));
  for (const name of ["dist", "dist-server", "drizzle"]) cpSync(name, join(former, name), { recursive: true });
  for (const name of ["package.json", ".env.example"]) cpSync(name, join(former, name));
  symlinkSync(resolve("node_modules"), join(former, "node_modules"));
  writeFileSync(join(former, "dist", FORMER_FILE), "export const former = true;\n");
  proxied = await startProxiedServers({ count: 2, env: { DEMO: "1" }, folders: [former, former] });
});
afterAll(async () => {
  await proxied?.close();
  if (former) rmSync(former, { recursive: true, force: true });
});

test.skipIf(!HAS_NGINX)(
  "two servers behind nginx are replaced in turn by a new build under load: no call fails, no stream misses anything, and each mail is sent once; a page of the build before gets its scripts when only the new build is left, and a file that is nowhere is a 404",
  async () => {
    const [first, second] = proxied.servers;
    if (!first || !second) throw new Error("there are two");
    for (const { dataDir } of proxied.servers) await expect.poll(() => buildsIn(dataDir)).toHaveLength(1);
    const load = await startMixedLoad(proxied);
    for (const server of proxied.servers) {
      const mailed = MAILED.map((email) => requestPasswordReset(proxied.url, email));
      expect(await server.stop()).toBe(0);
      await Promise.all(mailed);
      await server.start({}, ".");
    }
    const { failures, lost, resumed, calls } = await load.stop();
    expect({ failures, lost }).toEqual({ failures: [], lost: [] });
    const mails = () => MAILED.map((email) => proxied.servers.flatMap((server) => mailsTo(server, email)).length);
    await expect.poll(mails).toEqual(MAILED.map(() => proxied.servers.length));
    // All streams were on one of the two at least once.
    expect(resumed).toBeGreaterThanOrEqual(12);
    expect(Object.keys(calls).toSorted()).toEqual(["board read", "message", "new task", "page", "sign-in", "tick"]);

    await expect.poll(() => buildsIn(first.dataDir)).toHaveLength(2);
    // nginx asks the new one that is left and then the one that is away, or the other way round.
    await second.stop();
    for (let time = 0; time < 4; time += 1) {
      const answer = await fetch(proxied.url + FORMER_FILE);
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-type")).toMatch(/javascript/);
      expect(answer.headers.get("cache-control")).toContain("immutable");
      expect(await answer.text()).toContain("former = true");
      // Each request begins with the other server.
      for (let order = 0; order < 2; order += 1)
        expect((await fetch(`${proxied.url}/assets/nobody-0a1b2c3d.js`)).status).toBe(404);
    }
    await first.stop();
    expect((await fetch(proxied.url + FORMER_FILE)).status).toBe(502);
  },
);

async function requestPasswordReset(url: string, email: string): Promise<void> {
  const answer = await fetch(`${url}/api/trpc/auth.requestPasswordReset`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ json: { email } }),
  });
  expect(answer.status).toBe(200);
}

function buildsIn(dataDir: string): string[] {
  const folder = join(dataDir, "builds");
  return existsSync(folder) ? readdirSync(folder).filter((name) => !name.startsWith(".")) : [];
}
