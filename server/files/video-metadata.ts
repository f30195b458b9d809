import { type FileHandle, open } from "node:fs/promises";

/** Boxes of boxes, on the way to what is noted of a recording and of its tracks. */
const PARENTS = new Set(["moov", "trak"]);
/** Notes of programs and cameras, coordinates among them. Nothing of what is played stands in them. */
const NOTES = new Set(["udta", "meta", "uuid", "\u00a9xyz", "loci", "gps "]);
/** What stands before a box that has been emptied: programs skip it. */
const FREE = Buffer.from("free", "latin1");
const ZEROS = Buffer.alloc(65_536);
/** A file of more was made to be a nuisance. */
const MAX_BOXES = 10_000;

/** Whether a file of that type is made of such boxes. */
export function isRecording(type: string): boolean {
  return /^(video\/(mp4|quicktime|x-m4v|3gpp2?)|audio\/(mp4|x-m4a))$/.test(type);
}

/**
 * Takes from the recording at `path` where it was taken, where that stands: each box of notes becomes a free one of zeros, so that all
 * else keeps its place, and little is read and in memory. MP4, MOV, M4A and their like. A box that claims more than there is ends with what
 * it is in; from where no box can be read, the rest stays as it is. Returns whether anything was changed.
 */
export async function removeVideoLocation(path: string): Promise<boolean> {
  const handle = await open(path, "r+");
  try {
    const { size } = await handle.stat();
    const notes = await listNotes(handle, { start: 0, end: size, room: { boxes: MAX_BOXES } });
    for (const box of notes) await empty(handle, box);
    if (notes.length > 0) await handle.sync();
    return notes.length > 0;
  } finally {
    await handle.close();
  }
}

/** A box of a file: where it begins, where its content does, and where it ends. */
interface Box {
  type: string;
  start: number;
  content: number;
  end: number;
}

async function listNotes(
  handle: FileHandle,
  { start, end, room }: { start: number; end: number; room: { boxes: number } },
): Promise<Box[]> {
  const found: Box[] = [];
  for (let at = start; ; ) {
    const box = await readBox(handle, { at, end });
    room.boxes -= 1;
    if (!box || room.boxes < 0) return found;
    if (NOTES.has(box.type)) found.push(box);
    if (PARENTS.has(box.type)) found.push(...(await listNotes(handle, { start: box.content, end: box.end, room })));
    at = box.end;
  }
}

/** Null where none can be. */
async function readBox(handle: FileHandle, { at, end }: { at: number; end: number }): Promise<Box | null> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(16), 0, 16, at);
  if (bytesRead < 8 || at + 8 > end) return null;
  const short = buffer.readUInt32BE(0);
  if (short === 1 && (bytesRead < 16 || at + 16 > end)) return null;
  // 0: to the end; 1: the size follows the name, in 64 bits.
  const header = short === 1 ? 16 : 8;
  const size = short === 1 ? Number(buffer.readBigUInt64BE(8)) : short === 0 ? end - at : short;
  if (size < header) return null;
  return { type: buffer.toString("latin1", 4, 8), start: at, content: at + header, end: Math.min(at + size, end) };
}

async function empty(handle: FileHandle, { start, content, end }: Box): Promise<void> {
  await handle.write(FREE, 0, FREE.length, start + 4);
  for (let at = content; at < end; at += ZEROS.length)
    await handle.write(ZEROS, 0, Math.min(ZEROS.length, end - at), at);
}
