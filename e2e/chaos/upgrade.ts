import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findProgram } from "../../scripts/find-program.mjs";
import { startMixedLoad } from "../mixed-load";
import { startProxiedServers } from "../proxied-servers";
import type { TestServer } from "../server";

const PRESENT = ".";
/** With both versions, or the next one alone. */
const BESIDE_MS = 5_000;
const MAX_SHOWN = 20;

/**
 * Two servers of a former version behind nginx are replaced by this one in turn under load, then by the former one again, as after
 * an upgrade that one takes back, and once more by this one. Resolves to whether no call failed and no stream missed anything.
 * `former` is the folder of a built checkout.
 */
export async function playUpgrade(former: string): Promise<boolean> {
  if (!existsSync(join(former, "dist-server", "main.mjs"))) throw new Error(`${former} is not built.`);
  if ((await findProgram("nginx")) === null) return true;
  const proxied = await startProxiedServers({
    count: 2,
    folders: [former, former],
    env: { DEMO: "1", LOG_LEVEL: "info" },
  });
  try {
    const load = await startMixedLoad(proxied);
    await sleep(BESIDE_MS);
    const isWhole = await replaceAll(proxied.servers, { former, failed: () => load.report().failures.length });
    const { failures, lost, calls, resumed } = await load.stop();
    print(`${JSON.stringify(calls)}, streams begun again ${resumed} times`);
    for (const line of [...failures, ...lost].slice(0, MAX_SHOWN)) print(`  ${line}`);
    const unread = logLines(proxied.servers).filter((line) =>
      /"level":"error"|INTERNAL_SERVER_ERROR|not understood/.test(line),
    );
    for (const line of unread.slice(0, MAX_SHOWN)) print(`  ${line}`);
    print(
      `${failures.length} failed calls, ${lost.length} streams that missed something, ${unread.length} lines of trouble`,
    );
    return isWhole && failures.length + lost.length + unread.length === 0;
  } finally {
    await proxied.close();
  }
}

/** Up, back and up again, one server after the other; false when the former version does not start any more. */
async function replaceAll(
  servers: readonly TestServer[],
  { former, failed }: { former: string; failed: () => number },
): Promise<boolean> {
  const steps = { up: PRESENT, back: former, "up again": PRESENT };
  for (const [what, folder] of Object.entries(steps)) {
    for (const [at, server] of servers.entries()) {
      const before = failed();
      await server.stop();
      const problem = await server.start({}, folder).catch((error: unknown) => error);
      if (problem instanceof Error) {
        print(`${what}, server ${at + 1}: does not start: ${problem.message.trim().split("\n").at(-1)}`);
        return false;
      }
      await sleep(BESIDE_MS);
      print(`${what}, server ${at + 1}: ${failed() - before} failed`);
    }
  }
  return true;
}

function logLines(servers: readonly TestServer[]): string[] {
  return servers.flatMap(({ log }) => log.join("").split("\n"));
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
