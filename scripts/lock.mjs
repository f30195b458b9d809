// Two `npm start` in one fresh checkout: the second waits until the first has installed and built.
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ROOT } from "./shell.mjs";

const FILE = join(ROOT, "node_modules", ".sangam-lock");

/** Runs `work` while no other process of this checkout does. A lock whose process is gone (kill -9) does not count. */
export async function withLock(work) {
  mkdirSync(join(ROOT, "node_modules"), { recursive: true });
  const own = `${FILE}.${process.pid}`;
  const release = () => {
    if (read(FILE) === process.pid) rmSync(FILE, { force: true });
  };
  process.once("exit", release);
  writeFileSync(own, String(process.pid));
  try {
    for (let isAnnounced = false; !take(own); await sleep(100)) {
      const holder = read(FILE);
      // Without one it is being released.
      if (isAnnounced || holder === null) continue;
      console.error(`Waiting for process ${holder}, which is installing or building here.`);
      isAnnounced = true;
    }
    return await work();
  } finally {
    rmSync(own, { force: true });
    release();
    process.off("exit", release);
  }
}

/** A link is made whole or not at all, and never over an existing file. */
function take(own) {
  try {
    linkSync(own, FILE);
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  const holder = read(FILE);
  if (holder === null || isAlive(holder)) return false;
  const taken = `${FILE}.stale.${process.pid}`;
  try {
    renameSync(FILE, taken);
    // Somebody else may have cleared the stale lock and taken a new one since it was read: put that back.
    if (read(taken) !== holder) linkSync(taken, FILE);
  } catch {
    // Another process was quicker.
  }
  rmSync(taken, { force: true });
  return false;
}

function read(file) {
  try {
    return Number(readFileSync(file, "utf8")) || null;
  } catch {
    return null;
  }
}

function isAlive(pid) {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
