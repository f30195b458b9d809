import { crc32 } from "node:zlib";

/**
 * The bytes of a picture without where it was taken, in parts; null for what has nothing of that. Its pixels stay as they are.
 * JPEG, PNG and WebP lose all that is noted about them but colours and orientation; in all else, such as HEIC, TIFF and the raw
 * formats of cameras, coordinates are overwritten where they stand.
 */
export function withoutLocation(bytes: Buffer, { type, orientation }: { type: string; orientation: number }): Buffer[] {
  if (type === "image/jpeg") return strippedJpeg(bytes, orientation) ?? blanked(bytes);
  if (type === "image/png" || type === "image/apng") return strippedPng(bytes, orientation) ?? blanked(bytes);
  if (type === "image/webp") return strippedWebp(bytes, orientation) ?? blanked(bytes);
  return blanked(bytes);
}

const ORIENTATION_TAG = 0x0112;
const GPS_TAG = 0x8825;

/** What EXIF says of a picture that has nothing but an orientation. */
function exifOf(orientation: number): Buffer {
  const exif = Buffer.alloc(26);
  exif.write("MM\0*", 0, "latin1");
  exif.writeUInt32BE(8, 4);
  exif.writeUInt16BE(1, 8);
  exif.writeUInt16BE(ORIENTATION_TAG, 10);
  exif.writeUInt16BE(3, 12);
  exif.writeUInt32BE(1, 14);
  exif.writeUInt16BE(orientation, 18);
  return exif;
}

/** Up to the end of the first picture: what cameras put behind it is another one, with notes of its own. */
function strippedJpeg(bytes: Buffer, orientation: number): Buffer[] | null {
  const exif = Buffer.concat([
    Buffer.from([0xff, 0xe1, 0, 34]),
    Buffer.from("Exif\0\0", "latin1"),
    exifOf(orientation),
  ]);
  const parts = [bytes.subarray(0, 2), ...(orientation > 1 ? [exif] : [])];
  for (let at = 2; at + 4 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === 0xda) return [...parts, bytes.subarray(at, endOfScans(bytes, at))];
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    const segment = bytes.subarray(at, end);
    const isNote = marker === 0xfe || (marker >= 0xe1 && marker <= 0xef && marker !== 0xee);
    if (!isNote || (marker === 0xe2 && segment.subarray(4, 15).toString("latin1") === "ICC_PROFILE"))
      parts.push(segment);
    at = end;
  }
  return null;
}

/** Behind the marker that ends a picture; in its scans 0xFF is followed by 0 or a restart. */
function endOfScans(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(0xff, start + 2); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    if (bytes[at + 1] === 0xd9) return at + 2;
  }
  return bytes.length;
}

function strippedPng(bytes: Buffer, orientation: number): Buffer[] | null {
  const parts = [bytes.subarray(0, 8)];
  for (let at = 8; at + 12 <= bytes.length; ) {
    const end = at + 12 + bytes.readUInt32BE(at);
    const name = bytes.toString("latin1", at + 4, at + 8);
    if (end > bytes.length) return null;
    if (name === "IDAT" && orientation > 1 && !parts.includes(PNG_EXIF)) {
      parts.push(PNG_EXIF, pngChunk("eXIf", exifOf(orientation)));
    }
    if (!/^(eXIf|tEXt|zTXt|iTXt|tIME)$/.test(name)) parts.push(bytes.subarray(at, end));
    if (name === "IEND") return parts;
    at = end;
  }
  return null;
}

/** Stands for the place of the orientation: before the first pixels, once. */
const PNG_EXIF = Buffer.alloc(0);

function pngChunk(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, "latin1"), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

function strippedWebp(bytes: Buffer, orientation: number): Buffer[] | null {
  const parts: Buffer[] = [];
  for (let at = 12; at + 8 <= bytes.length; ) {
    const size = bytes.readUInt32LE(at + 4);
    const end = at + 8 + size + (size % 2);
    const name = bytes.toString("latin1", at, at + 4);
    if (at + 8 + size > bytes.length) return null;
    const chunk = bytes.subarray(at, Math.min(end, bytes.length));
    // The flags of what is in it: no XMP, and EXIF only for the orientation.
    if (name === "VP8X")
      parts.push(Buffer.from(chunk).fill(((chunk[8] ?? 0) & 0xf3) | (orientation > 1 ? 8 : 0), 8, 9));
    else if (name !== "EXIF" && name !== "XMP ") parts.push(chunk);
    at = end;
  }
  if (orientation > 1) {
    const head = Buffer.from("EXIF\u001a\0\0\0", "latin1");
    parts.push(head, exifOf(orientation));
  }
  const head = Buffer.from(bytes.subarray(0, 12));
  head.writeUInt32LE(
    parts.reduce((sum, part) => sum + part.length, 4),
    4,
  );
  return [head, ...parts];
}

/** What the raw photos of Olympus and Panasonic have at their start in place of TIFF's mark. */
const RAW_MARKS = ["IIRO", "IIRS", "MMOR", "IIU\0"];

/** A copy in which coordinates of EXIF and XMP are overwritten, wherever in the file they stand. */
function blanked(bytes: Buffer): Buffer[] {
  const copy = Buffer.from(bytes);
  if (RAW_MARKS.includes(copy.toString("latin1", 0, 4))) blankGps(copy, 0);
  for (const mark of ["II*\0", "MM\0*"]) {
    for (let at = copy.indexOf(mark, 0, "latin1"); at >= 0; at = copy.indexOf(mark, at + 1, "latin1"))
      blankGps(copy, at);
  }
  for (let at = copy.indexOf("<x:xmpmeta"); at >= 0; at = copy.indexOf("<x:xmpmeta", at + 1)) {
    const end = copy.indexOf("</x:xmpmeta>", at);
    const packet = copy.toString("latin1", at, end < 0 ? copy.length : end);
    const said = /(GPS\w+\s*=\s*["'])([^"']*)|(GPS\w+>)([^<]*)/g;
    for (const { index, 1: attribute, 2: value = "", 3: tag = "", 4: text = "" } of packet.matchAll(said)) {
      const from = at + index + (attribute ?? tag).length;
      copy.fill(" ", from, from + (attribute === undefined ? text : value).length);
    }
  }
  return [copy];
}

/** Overwrites the coordinates of a TIFF header at `start`, if there is one; else nothing. */
function blankGps(bytes: Buffer, start: number): void {
  const isLittle = bytes[start] === 0x49;
  const [u16, u32] = isLittle
    ? [(at: number) => bytes.readUInt16LE(at), (at: number) => bytes.readUInt32LE(at)]
    : [(at: number) => bytes.readUInt16BE(at), (at: number) => bytes.readUInt32BE(at)];
  const entriesOf = (folder: number) => Array.from({ length: u16(folder) }, (_, index) => folder + 2 + 12 * index);
  // Canon's CR3 has the coordinates in a block of their own. Four bytes of a version begin them.
  const isGps = ([entry]: number[]) =>
    entry !== undefined && u16(entry) === 0 && u16(entry + 2) === 1 && u32(entry + 4) === 4;
  function blankFolder(folder: number): void {
    for (const one of entriesOf(folder)) {
      const size = (SIZES[u16(one + 2)] ?? 0) * u32(one + 4);
      if (size > 4) bytes.fill(0, start + u32(one + 8), Math.min(bytes.length, start + u32(one + 8) + size));
      bytes.fill(0, one, one + 12);
    }
    bytes.fill(0, folder, folder + 2);
  }
  try {
    const first = start + u32(start + 4);
    const entries = entriesOf(first);
    if (isGps(entries)) blankFolder(first);
    else for (const entry of entries) if (u16(entry) === GPS_TAG) blankFolder(start + u32(entry + 8));
  } catch (error) {
    // It points out of the file: those four bytes were no header.
    if (!(error instanceof RangeError)) throw error;
  }
}

/** Bytes of a value, by its type in TIFF. */
const SIZES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8];
