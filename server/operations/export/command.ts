import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { addAbortSignal } from "node:stream";
import { parseArgs } from "node:util";
import { type Connection, createDb } from "../../../db/client";
import { insertAudit } from "../../audit/mutations";
import { commandLine } from "../../core/command-line";
import type { FileStore } from "../../files/store";
import { writeWhole } from "../archive";
import { explainFailure } from "../failure";
import { createExport } from "./write";

const USAGE = `Usage: ${commandLine("export", "FILE.zip")}`;

/**
 * `npm run export`: what to say at the end, and whether it worked. Files are looked for in the folder of whoever calls. Rejects when
 * the signal breaks it off.
 */
export async function runExportCommand({
  args,
  folder,
  connection,
  store,
  signal,
}: {
  args: string[];
  folder: string;
  connection: Connection;
  store: FileStore;
  signal?: AbortSignal | undefined;
}): Promise<{ ok: boolean; sentence: string }> {
  const file = readFile(args, folder);
  if (file === null) return { ok: false, sentence: USAGE };
  if (existsSync(file)) return { ok: false, sentence: `There is ${file} already: give another name, or move it away.` };
  const { db, close } = createDb(connection, { max: 1 });
  try {
    const bytes = await writeExport(file, { connection, store, signal });
    await insertAudit(db, { kind: "data.exported", actorId: null, subjectId: null });
    const megabytes = (bytes / 1_000_000).toLocaleString("en-GB", { maximumSignificantDigits: 2 });
    return {
      ok: true,
      sentence: `${file} holds everything in open formats, ${megabytes} MB: unpack it and open index.html.`,
    };
  } catch (error) {
    const sentence = explainFailure(error, file);
    if (sentence === null || signal?.aborted) throw error;
    return { ok: false, sentence };
  } finally {
    await close();
  }
}

function writeExport(file: string, { signal, ...source }: Parameters<typeof createExport>[0]): Promise<number> {
  const content = createExport({ ...source, signal });
  return writeWhole(file, signal ? addAbortSignal(signal, content) : content);
}

function readFile(args: string[], folder: string): string | null {
  try {
    const [file, ...more] = parseArgs({ args, allowPositionals: true }).positionals;
    return file === undefined || more.length > 0 ? null : resolve(folder, file);
  } catch {
    return null;
  }
}
