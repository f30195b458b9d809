import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import yauzl from "yauzl";
import yazl from "yazl";

/** What went into an archive under one name, before it was compressed. */
export interface Measured {
  bytes: number;
  /** In hexadecimal. */
  sha256: string;
  /** Line feeds: of what COPY writes as text, the rows. */
  lines: number;
}

/** A zip file as it is being written, one entry after the other. */
export interface ArchiveWriter {
  add(name: string, content: Readable | string): Promise<Measured>;
}

/** The file is no archive, or not a whole one. */
export class ArchiveError extends Error {}

/**
 * A zip file of what `fill` adds, as a stream: what nobody reads is not made. Breaks off with the error of `fill`, and `fill` with
 * that of the stream.
 */
export function createArchive(fill: (archive: ArchiveWriter) => Promise<void>): Readable {
  const zip = new yazl.ZipFile();
  const output = zip.outputStream;
  if (!(output instanceof Readable)) throw new Error("yazl writes to a stream of Node");
  let failure: Error | null = null;
  let present: Transform | null = null;
  output.once("close", () => {
    failure ??= new Error("the archive is not wanted any more");
    present?.destroy(failure);
  });
  // Of an entry, whose own pipeline has it too.
  zip.on("error", () => {});
  const archive: ArchiveWriter = {
    async add(name, content) {
      if (failure) throw failure;
      const { meter, measured } = createMeter();
      present = meter;
      zip.addReadStream(meter, name, { mode: 0o100600, forceZip64Format: true });
      await pipeline(typeof content === "string" ? Readable.from([content]) : content, meter);
      return measured();
    },
  };
  fill(archive).then(
    () => zip.end(),
    (error: unknown) => output.destroy(error instanceof Error ? error : new Error(String(error))),
  );
  return output;
}

function createMeter(): { meter: Transform; measured: () => Measured } {
  const hash = createHash("sha256");
  let bytes = 0;
  let lines = 0;
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1;
      done(null, chunk);
    },
  });
  // Whoever waits for the meter has its error; after that nobody does.
  meter.on("error", () => {});
  return { meter, measured: () => ({ bytes, lines, sha256: hash.digest("hex") }) };
}

/** What comes out of a stream, without keeping it. */
export async function measure(content: Readable): Promise<Measured> {
  const { meter, measured } = createMeter();
  await pipeline(content, meter.resume());
  return measured();
}

/** Writes a file that its owner alone may read. It stands under its name once all of it is on the disk. Returns its size. */
export async function writeWhole(path: string, content: Readable): Promise<number> {
  const partial = `${path}.${process.pid}${PARTIAL}`;
  try {
    await pipeline(content, createWriteStream(partial, { mode: 0o600, flush: true }));
    const file = await open(partial);
    const { size } = await file.stat().finally(() => file.close());
    await rename(partial, path);
    return size;
  } finally {
    await rm(partial, { force: true });
    content.destroy();
  }
}

/** What the names of files end with that are being written. */
export const PARTIAL = ".partial";

/** A zip file to read from. */
export interface ArchiveReader {
  names: ReadonlySet<string>;
  /** In bytes, as its list of contents says; null for what is not there. A stream of another length fails. */
  sizeOf(name: string): number | null;
  read(name: string): Promise<Readable>;
  close(): void;
}

/** Opens a zip file. Throws ArchiveError for what is none. */
export async function openArchive(path: string): Promise<ArchiveReader> {
  const zip = await yauzl.openPromise(path, { lazyEntries: true, autoClose: false }).catch((error: unknown) => {
    if (error instanceof Error && "code" in error) throw error;
    throw new ArchiveError(`${path} is no zip file, or not all of it is there.`);
  });
  const entries = new Map<string, yauzl.Entry>();
  try {
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
  } catch {
    zip.close();
    throw new ArchiveError(`${path} is damaged: its list of contents cannot be read.`);
  }
  return {
    names: new Set(entries.keys()),
    sizeOf: (name) => entries.get(name)?.uncompressedSize ?? null,
    async read(name) {
      const entry = entries.get(name);
      if (!entry) throw new ArchiveError(`${path} is damaged: ${name} is missing.`);
      return zip.openReadStreamPromise(entry);
    },
    close: () => zip.close(),
  };
}
