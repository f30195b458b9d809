import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Connection } from "../../db/client";
import { createDiskStore } from "../files/disk-store";
import { createS3Store } from "../files/s3-store";
import type { FileStore } from "../files/store";
import { runImportCommand } from "../operations/import/command";
import { intakeBelow } from "./import-file";

/** An import in a process of its own, which kills itself in the midst of a file. */
interface KilledImport {
  connection: Connection;
  /** Of the zip, and of what it is called there. */
  folder: string;
  file: string;
  home: string;
  /** A folder, or the address of a bucket. */
  store: string;
  /** At which file that it puts into the store, and when. */
  at: number;
  moment: "before" | "during";
}

/** Resolves with the signal that has ended it. */
export async function runKilledImport(wish: KilledImport): Promise<NodeJS.Signals | null> {
  const child = fork(fileURLToPath(import.meta.url), [JSON.stringify(wish)], { execArgv: ["--import", "tsx"] });
  const [, signal] = await once(child, "exit");
  return signal;
}

/** A store, by its folder or its address. */
export function openStore(store: string): FileStore {
  return /^https?:/.test(store) ? createS3Store(store) : createDiskStore(store);
}

function killingStore(store: FileStore, { at, moment }: KilledImport): FileStore {
  let count = 0;
  const die = () => process.kill(process.pid, "SIGKILL");
  return {
    ...store,
    async put(name, path) {
      count += 1;
      if (count === at && moment === "before") die();
      const putting = store.put(name, path);
      if (count === at && moment === "during") setImmediate(die);
      await putting;
    },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const wish: KilledImport = JSON.parse(process.argv[2] ?? "");
  await runImportCommand({
    ...{ args: [wish.file], folder: wish.folder, connection: wish.connection },
    ...{ show: () => {}, ask: null, timeZone: "UTC" },
    intake: intakeBelow(wish.home, { store: killingStore(openStore(wish.store), wish) }),
  });
  process.exit();
}
