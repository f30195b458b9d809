import fs, { chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { EmbeddedError, SYSTEM_FOLDER } from "./binaries";
import { chooseLocation } from "./location";

let dataDir: string;

/** As under systemd, whose StateDirectory gives the system's folder to the unit's user. */
beforeEach(() => {
  dataDir = realpathSync(mkdtempSync(join(tmpdir(), "sangam-location-")));
  const { lstatSync } = fs;
  const own = lstatSync(dataDir);
  own.uid = 61_000;
  vi.spyOn(process, "getuid").mockReturnValue(0);
  vi.spyOn(fs, "lstatSync").mockImplementation((path) => (path === SYSTEM_FOLDER ? own : lstatSync(path)));
  syncBuiltinESMExports();
});
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  rmSync(dataDir, { recursive: true });
});

test("root joins a cluster of another user where the system's folder is not root's, as it needs nothing there", () => {
  const pgDir = join(dataDir, "pg");
  mkdirSync(pgDir);
  writeFileSync(join(pgDir, "PG_VERSION"), "18\n");
  if (statSync(pgDir).uid === 0) chownSync(pgDir, 61_000, 61_000);
  const { uid, gid } = statSync(pgDir);

  const location = chooseLocation(dataDir, null);
  expect(location).toMatchObject({ pgDir, user: { uid, gid }, socketDir: join(dataDir, "socket") });
  expect(statSync(location.socketDir)).toMatchObject({ uid, gid });
  // Copied programs would lie there.
  expect(location.copyFolder).toThrow(EmbeddedError);
});
