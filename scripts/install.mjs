// Packages exactly as bun.lock has them, with our patches, and only when they are not there yet.
import { join } from "node:path";
import { withLock } from "./lock.mjs";
import { ROOT, run } from "./shell.mjs";
import { hashOf, readStamp, writeStamp } from "./stamp.mjs";

const BUN = "bun@1.4.4";
const STAMP = join(ROOT, "node_modules", ".install-stamp");

export async function installIfStale() {
  const stamp = hashOf(["package.json", "bun.lock", "patches"], {
    words: [process.version, process.platform, process.arch],
  });
  if (readStamp(STAMP) === stamp) return;
  await withLock(async () => {
    if (readStamp(STAMP) === stamp) return;
    console.error("Installing packages ...");
    await run("npx", ["-y", BUN, "install", "--frozen-lockfile"], { quiet: true });
    writeStamp(STAMP, stamp);
  });
}
