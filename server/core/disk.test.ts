import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { watchedFolders } from "./disk";

test("the disk of the embedded database is watched where it lies elsewhere, and the one of the backups", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "sangam-disks-"));
  const env = { dataDir, databaseUrl: null, backup: { dir: null, keep: 14, passphrase: null } };
  expect(watchedFolders(env)).toEqual([dataDir]);
  await writeFile(join(dataDir, "cluster.json"), JSON.stringify({ dataDir, where: "/var/lib/sangam/1a2b/pg" }));
  expect(watchedFolders(env)).toEqual([dataDir, "/var/lib/sangam/1a2b/pg"]);
  const elsewhere = { ...env, databaseUrl: "postgres://db/x", backup: { ...env.backup, dir: "/mnt/backups" } };
  expect(watchedFolders(elsewhere)).toEqual([dataDir, "/mnt/backups"]);
  await rm(dataDir, { recursive: true });
});
