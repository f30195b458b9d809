import { constants } from "node:fs";
import { access, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import type { FileStore } from "./store";

const MARKER = ".sangam-store";

/** Files below a folder, which is made with the first of them. What is put there has to come from the same disk. */
export function createDiskStore(folder: string): FileStore {
  return {
    place: folder,
    async put(name, path) {
      const target = join(folder, name);
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      await rename(path, target);
    },
    async open(name, range) {
      // Opened first, so that what is missing is known before an answer begins.
      const handle = await open(join(folder, name)).catch(unlessMissing);
      if (!handle) return null;
      const size = range ? range.end - range.start + 1 : (await handle.stat()).size;
      return { content: handle.createReadStream(range), size };
    },
    has: (name) =>
      access(join(folder, name), constants.R_OK).then(
        () => true,
        () => false,
      ),
    async *list() {
      for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])) {
        if (!entry.isFile() || entry.name === MARKER) continue;
        const path = join(entry.parentPath, entry.name);
        const found = await stat(path).catch(unlessMissing);
        if (found) yield { name: relative(folder, path).split(sep).join("/"), size: found.size, putAt: found.mtime };
      }
    },
    delete: (name) => rm(join(folder, name), { force: true }),
    readMarker: () => readFile(join(folder, MARKER), "utf8").catch(unlessMissing),
    async writeMarker(marker) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(join(folder, MARKER), marker, { mode: 0o600, flush: true });
    },
  };
}

function unlessMissing(error: unknown): null {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
  throw error;
}
