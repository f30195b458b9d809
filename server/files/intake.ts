import { createHash, randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, open, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileTypeFromFile } from "file-type";
import type { Images } from "./images";
import type { NewFile } from "./mutations";
import { type MeasuredBytes, measureFile, thumbnailPathOf } from "./picture-work";
import { type FileStore, nameOf } from "./store";
import { isRecording, removeVideoLocation } from "./video-metadata";

const SNIFFED_BYTES = 65_536;
/** Controls that no text has: all but tabs and ends of lines and pages. */
const NO_TEXT = /(?![\t-\r])\p{Cc}/u;

/** Writes them to a new file at `path`, and measures them on the way: little of them is in memory. */
export async function writeMeasured(path: string, chunks: () => AsyncIterable<Uint8Array>): Promise<MeasuredBytes> {
  const hash = createHash("sha256");
  let size = 0;
  async function* measured(): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks()) {
      size += chunk.byteLength;
      hash.update(chunk);
      yield chunk;
    }
  }
  // On the disk before it is recorded.
  await pipeline(measured, createWriteStream(path, { flags: "wx", mode: 0o600, flush: true }));
  return { size, hash: hash.digest("hex") };
}

/** A file that is ready for the store, and the paths of its bytes and of its thumbnail's, by hash. */
export interface PreparedFile {
  file: Omit<NewFile, "name">;
  paths: ReadonlyMap<string, string>;
}

/** Finds out what the bytes at `path` are, takes from them where they were taken, and makes a thumbnail of a picture. */
export async function prepareFile(
  path: string,
  { received, images }: { received: MeasuredBytes; images: Images },
): Promise<PreparedFile> {
  const type = await sniffType(path);
  const picture = type.startsWith("image/") ? await images.prepare(path, type) : null;
  const isCleaned = isRecording(type) && (await removeVideoLocation(path));
  // A picture or a recording has lost something on the way.
  const { size, hash } = picture?.kept ?? (isCleaned ? await measureFile(path) : received);
  const { width = null, height = null, thumbnail = null } = picture?.shown ?? {};
  const paths = new Map([[hash, path]]);
  if (thumbnail) paths.set(thumbnail.hash, thumbnailPathOf(path));
  return { file: { size, hash, type, width, height, thumbnailHash: thumbnail?.hash ?? null }, paths };
}

/** Writes bytes that are at hand into the store, by way of a folder on its disk. */
export async function putContents(
  store: FileStore,
  { folder, contents }: { folder: string; contents: readonly { hash: string; bytes: Uint8Array }[] },
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const { hash, bytes } of contents) {
    const path = join(folder, randomUUID());
    await writeFile(path, bytes, { flag: "wx", mode: 0o600, flush: true });
    await store.put(nameOf(hash), path);
  }
}

/** Moves the bytes of a file into the store. */
export async function putPrepared(store: FileStore, { paths }: PreparedFile): Promise<void> {
  for (const [hash, path] of paths) await store.put(nameOf(hash), path);
}

/** Whether the store has all of its bytes. */
export async function isStored(store: FileStore, { paths }: PreparedFile): Promise<boolean> {
  return (await Promise.all([...paths.keys()].map((hash) => store.has(nameOf(hash))))).every(Boolean);
}

/** Removes what was written for a file and is not in the store. */
export async function discardPrepared(path: string): Promise<void> {
  for (const one of [path, thumbnailPathOf(path)]) await rm(one, { force: true });
}

/** By the bytes; whatever the name and the sender say. */
async function sniffType(path: string): Promise<string> {
  const found = await fileTypeFromFile(path);
  return found?.mime ?? ((await isText(path)) ? "text/plain" : "application/octet-stream");
}

/** Whether a file begins as text: UTF-8 without control characters. */
async function isText(path: string): Promise<boolean> {
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(SNIFFED_BYTES), 0, SNIFFED_BYTES);
    // A character may be cut in two at the end.
    const text = new TextDecoder("utf-8", { fatal: true }).decode(buffer.subarray(0, bytesRead), { stream: true });
    return !NO_TEXT.test(text);
  } catch {
    return false;
  } finally {
    await handle.close();
  }
}
