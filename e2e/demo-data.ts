import { rmSync } from "node:fs";
import { join } from "node:path";
import type { FullConfig } from "@playwright/test";
import { DEMO_DATA, disposeServer, startServer } from "./server";

/**
 * Playwright's global set-up: where several workers start a server each, one starts from nothing before, and theirs begin with a
 * copy of its data. That saves each a cluster, the migrations and the demo.
 */
export default async function setup({ workers }: FullConfig): Promise<(() => Promise<void>) | undefined> {
  if (workers === 1) return undefined;
  const server = await startServer();
  await server.stop();
  // It names the folder: a copy finds its own database without it.
  rmSync(join(server.dataDir, "cluster.json"));
  process.env[DEMO_DATA] = server.dataDir;
  return () => disposeServer(server);
}
