import { rmSync } from "node:fs";
import { join } from "node:path";
import type { FullConfig } from "@playwright/test";
import { DEMO_DATA, disposeServer, startServer } from "./server";

/** Set by scripts/test.mjs. */
const HELD = "E2E_HELD";

/**
 * Playwright's global set-up: where several workers start a server each, one starts from nothing before, and theirs begin with a
 * copy of its data. That saves each a cluster, the migrations and the demo. `npm test` has this done beside its last unit tests,
 * and says when the browsers begin.
 */
export default async function setup({ workers }: FullConfig): Promise<(() => Promise<void>) | undefined> {
  const dispose = workers === 1 ? undefined : await makeDemoData();
  if (process.env[HELD] !== undefined) await messageOfParent();
  return dispose;
}

async function makeDemoData(): Promise<() => Promise<void>> {
  const server = await startServer();
  await server.stop();
  // It names the folder: a copy finds its own database without it.
  rmSync(join(server.dataDir, "cluster.json"));
  process.env[DEMO_DATA] = server.dataDir;
  return () => disposeServer(server);
}

function messageOfParent(): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Error("`npm test` has ended."));
    process.once("disconnect", fail);
    process.once("message", () => {
      process.off("disconnect", fail);
      resolve();
    });
  });
}
