import { createHash } from "node:crypto";
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { canEnter, EmbeddedError, giveTo, type PgUser, SYSTEM_FOLDER, systemFolder } from "./binaries";
import type { Note } from "./note";
import { readPostmaster } from "./postmaster";

/** Where a cluster's files lie, and whom PostgreSQL runs as. */
export type ClusterLocation = {
  pgDir: string;
  user: PgUser;
  socketDir: string;
  /** Where PostgreSQL's programs may be copied to. Throws EmbeddedError where root has no such folder. */
  copyFolder(): string;
};

/** The system's limit for a socket's path is 104 bytes on macOS, 108 on Linux. */
const SOCKET_PATH_MAX = 100;
const SOCKET_NAME = "/.s.PGSQL.5432";

/**
 * Decides for an absolute DATA_DIR. An existing cluster stays where it is and keeps its owner; a new one lies in
 * DATA_DIR/pg, or below /var/lib/sangam when root starts it and PostgreSQL's user cannot reach DATA_DIR.
 * Throws EmbeddedError when the cluster belongs to somebody else.
 */
export function chooseLocation(dataDir: string, note: Note | null): ClusterLocation {
  const inside = join(dataDir, "pg");
  if (process.getuid?.() !== 0) {
    if (note !== null && note.where !== inside && note.dataDir === dataDir && !existsSync(inside)) {
      throw new EmbeddedError(
        `The database of ${dataDir} was made by root and lies in ${note.where}. ` +
          "Start as root again, or set DATA_DIR to another folder.",
      );
    }
    if (existsSync(inside) && statSync(inside).uid !== process.getuid?.()) {
      throw new EmbeddedError(
        `The database in ${inside} belongs to another user. Start as that user or as root, or set DATA_DIR to another folder.`,
      );
    }
    return { pgDir: inside, user: null, socketDir: socketDirFor(inside, null), copyFolder: () => dataDir };
  }
  if (note === null) setAside(outside(dataDir));
  const existing = [inside, movedAlong(dataDir, note), outside(dataDir)].find((dir) => dir !== null && isCluster(dir));
  const user = (existing === undefined || existing === null ? null : ownerOf(existing)) ?? firstUser();
  const pgDir = existing ?? (canEnter(dataDir, user) ? inside : outside(dataDir));
  // Only then: under systemd that folder is the service's own, with all that root needs of it in DATA_DIR.
  if (pgDir !== inside) {
    systemFolder();
    mkdirSync(dirname(pgDir), { recursive: true, mode: 0o755 });
  }
  return { pgDir, user, socketDir: socketDirFor(pgDir, user), copyFolder: systemFolder };
}

/** True when initdb has finished there. */
export function isCluster(dir: string): boolean {
  return existsSync(join(dir, "PG_VERSION"));
}

function outside(dataDir: string): string {
  return join(SYSTEM_FOLDER, shortHash(dataDir), "pg");
}

/**
 * A data folder that knows of no cluster is a new one, even where an earlier one of that name was deleted: a fresh
 * clone begins afresh. What the earlier one has left in the system's folder is kept under another name.
 */
function setAside(pgDir: string): void {
  if (!isCluster(pgDir) || readPostmaster(pgDir).postmaster !== null) return;
  try {
    renameSync(dirname(pgDir), `${dirname(pgDir)}.left-${Date.now()}`);
  } catch (error) {
    // A twin has done it.
    if (isCluster(pgDir)) throw error;
  }
}

/** A data folder that was moved since takes its cluster along; a copied one, whose original is still there, does not. */
function movedAlong(dataDir: string, note: Note | null): string | null {
  if (note === null || note.dataDir === dataDir || existsSync(note.dataDir)) return null;
  if (!note.where.startsWith(`${SYSTEM_FOLDER}/`) || !isCluster(note.where)) return null;
  systemFolder();
  const own = outside(dataDir);
  if (isCluster(own) || readPostmaster(note.where).postmaster !== null) return note.where;
  // Under its new name, so that a new checkout at the old path does not find it.
  rmSync(dirname(own), { recursive: true, force: true });
  renameSync(dirname(note.where), dirname(own));
  return own;
}

function ownerOf(dir: string): PgUser {
  const { uid, gid } = statSync(dir);
  return uid === 0 ? null : { uid, gid };
}

/** Only accounts that are there already: `postgres` under its names, else `nobody`. */
function firstUser(): PgUser {
  const accounts = readFileSync("/etc/passwd", "utf8").split("\n");
  for (const name of ["postgres", "_postgres", "nobody"]) {
    const fields = accounts.find((line) => line.startsWith(`${name}:`))?.split(":");
    if (fields !== undefined) return { uid: Number(fields[2]), gid: Number(fields[3]) };
  }
  throw new EmbeddedError(
    "PostgreSQL does not run as root, and there is no account postgres or nobody. Start as an ordinary user, or set DATABASE_URL.",
  );
}

/** Beside the cluster when the path is short enough, else a name made of a hash; private, since whoever gets in is let in. */
function socketDirFor(pgDir: string, user: PgUser): string {
  const beside = join(dirname(pgDir), "socket");
  const short = `sangam-${shortHash(pgDir)}`;
  const elsewhere = () => join(user === null ? tmpdir() : systemFolder(), short);
  const dir = Buffer.byteLength(beside + SOCKET_NAME) <= SOCKET_PATH_MAX ? beside : elsewhere();
  if (Buffer.byteLength(dir + SOCKET_NAME) > SOCKET_PATH_MAX) {
    throw new EmbeddedError(`${tmpdir()} is too long a path for PostgreSQL's socket: set TMPDIR to a shorter one.`);
  }
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const stat = lstatSync(dir);
  const self = process.getuid?.();
  if (!stat.isDirectory() || (stat.uid !== self && stat.uid !== user?.uid)) {
    throw new EmbeddedError(`${dir} belongs to somebody else: remove it.`);
  }
  giveTo(dir, user);
  chmodSync(dir, 0o700);
  return dir;
}

function shortHash(text: string): string {
  return createHash("sha1").update(text).digest("hex").slice(0, 12);
}
