import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findProgram } from "../../scripts/find-program.mjs";
import { type ProxiedServers, startProxiedServers } from "../proxied-servers";

const HAS_NGINX = (await findProgram("nginx")) !== null;
const FORMER_FILE = "/assets/former-0a1b2c3d.js";

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
  proxied = await startProxiedServers({ count: 2, folders: [former, former] });
});
afterAll(async () => {
  await proxied?.close();
  if (former) rmSync(former, { recursive: true, force: true });
});

test.skipIf(!HAS_NGINX)(
  "a page of the build before gets its scripts when only the new build is left, and a file that is nowhere is a 404",
  async () => {
    const [first, second] = proxied.servers;
    if (!first || !second) throw new Error("there are two");
    for (const { dataDir } of proxied.servers) await expect.poll(() => buildsIn(dataDir)).toHaveLength(1);
    await first.stop();
    await first.start({}, ".");
    await expect.poll(() => buildsIn(first.dataDir)).toHaveLength(2);
    // The last old server has gone: nginx asks the new one and then the one that is away, or the other way round.
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

function buildsIn(dataDir: string): string[] {
  const folder = join(dataDir, "builds");
  return existsSync(folder) ? readdirSync(folder).filter((name) => !name.startsWith(".")) : [];
}
