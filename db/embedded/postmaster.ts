import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A postmaster that lives in a data folder, as its own files describe it. */
export type Postmaster = {
  pid: number;
  /** The folder as it was given to the postmaster: one folder may have several spellings. */
  dir: string;
  port: number;
  socketDir: string;
  ready: boolean;
  /** The node process that holds its leash; null when something else started it. */
  owner: ProcessMark | null;
};

/** A process id with its start stamp, because ids are used again: in containers nearly always the same ones. */
export type ProcessMark = { pid: number; stamp: string };

/**
 * The postmaster that runs in the folder, or null. A postmaster.pid whose process is gone, or is another program
 * with a reused id, counts as null and is reported as stale.
 */
export function readPostmaster(pgDir: string): { postmaster: Postmaster | null; stale: boolean } {
  const lines = readLines(join(pgDir, "postmaster.pid"));
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return { postmaster: null, stale: false };
  if (!isAlive(pid)) return { postmaster: null, stale: false };
  const dir = lines[1] ?? "";
  if (!mentions(pid, dir)) return { postmaster: null, stale: true };
  const postmaster = {
    pid,
    dir,
    port: Number(lines[3]),
    socketDir: lines[4] ?? "",
    ready: lines[7]?.trim() === "ready",
    owner: readMark(readLines(join(pgDir, "postmaster.opts"))[0] ?? ""),
  };
  return { postmaster, stale: false };
}

/** True until that very postmaster has ended. */
export function stillRuns(postmaster: Postmaster): boolean {
  return isAlive(postmaster.pid) && mentions(postmaster.pid, postmaster.dir);
}

/** True while the process that wore this mark lives. */
export function isSameProcess(mark: ProcessMark): boolean {
  return isAlive(mark.pid) && startStamp(mark.pid) === mark.stamp;
}

/** This node process. */
export function ownMark(): ProcessMark {
  return { pid: process.pid, stamp: startStamp(process.pid) };
}

/** The PostgreSQL setting that carries the owner's mark into postmaster.opts, where a second instance reads it. */
export function markSetting(mark: ProcessMark): string {
  return `cluster_name=sangam.${mark.pid}.${mark.stamp}`;
}

function readMark(options: string): ProcessMark | null {
  const match = /cluster_name=sangam\.(\d+)\.(\w*)/.exec(options);
  return match?.[1] === undefined ? null : { pid: Number(match[1]), stamp: match[2] ?? "" };
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, "utf8").split("\n");
  } catch {
    return [];
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it lives and belongs to somebody else.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
  // A killed process that nobody has waited for still has an id.
  return !/^\d+ \(.*\) [ZX]/s.test(readLines(`/proc/${pid}/stat`).join("\n"));
}

/** In doubt true: to take a living postmaster for a dead one would cost data. */
function mentions(pid: number, dir: string): boolean {
  return commandLine(pid)?.includes(dir) ?? true;
}

/** Null when it is not known (another user's process on a system that hides those). */
function commandLine(pid: number): string | null {
  if (process.platform === "linux") {
    const text = readLines(`/proc/${pid}/cmdline`).join("\n").replaceAll("\0", " ");
    return text === "" ? null : text;
  }
  return ps(pid, "command=");
}

/** Letters and digits only: it travels inside a PostgreSQL setting. */
function startStamp(pid: number): string {
  if (process.platform === "linux") {
    // Field 22 of /proc/pid/stat; the second field may hold spaces and brackets, so count from its last bracket.
    return readLines(`/proc/${pid}/stat`).join("").split(")").at(-1)?.trim().split(" ")[19] ?? "";
  }
  return (ps(pid, "lstart=") ?? "").replaceAll(/\W/g, "");
}

function ps(pid: number, column: string): string | null {
  try {
    const text = execFileSync("/bin/ps", ["-ww", "-o", column, "-p", String(pid)], { encoding: "utf8", stdio: "pipe" });
    return text.trim() || null;
  } catch {
    return null;
  }
}
