import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createLogger } from "../core/logger";
import { createImages } from "./images";
import { prepareFile } from "./intake";
import { isRecording, removeVideoLocation } from "./video-metadata";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sangam-videos-"));
});
afterAll(() => rm(folder, { recursive: true }));

const PLACE = "+18.5204+073.8567/";

/** A box; `size` for one that lies, `isWide` for one whose size is written in 64 bits. */
function box(
  type: string,
  content: Buffer | string,
  { size, isWide }: { size?: number; isWide?: boolean } = {},
): Buffer {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  const header = Buffer.alloc(isWide ? 16 : 8);
  const actual = size ?? header.length + bytes.length;
  header.writeUInt32BE(isWide ? 1 : actual, 0);
  header.write(type, 4, "latin1");
  if (isWide) header.writeBigUInt64BE(BigInt(actual), 8);
  return Buffer.concat([header, bytes]);
}

const start = box("ftyp", "isom\0\0\0\0isommp41");
const frames = box("mdat", Buffer.alloc(200_000, 7));
const clock = box("mvhd", Buffer.alloc(100, 1));
const track = (...more: Buffer[]) => box("trak", Buffer.concat([box("tkhd", Buffer.alloc(80, 2)), ...more]));
const notes = box("udta", box("\u00a9xyz", `\0\u0012\u0015\u00c7${PLACE}`));
const keys = box("meta", box("ilst", `com.apple.quicktime.location.ISO6709${PLACE}`));
const xmp = box("uuid", `\xbe\x7a\xcf\xcb<exif:GPSLatitude>${PLACE}`);
const moov = (...more: Buffer[]) => box("moov", Buffer.concat([clock, ...more]));

async function cleaned(bytes: Buffer): Promise<Buffer> {
  const path = join(folder, "one.mp4");
  await writeFile(path, bytes);
  await removeVideoLocation(path);
  return readFile(path);
}

/** All but the notes. */
const played = (bytes: Buffer) => [frames, clock, track().subarray(8)].map((part) => bytes.indexOf(part));

test.each<[string, Buffer]>([
  ["moov at the beginning", Buffer.concat([start, moov(track(notes), notes, keys), frames])],
  ["moov at the end", Buffer.concat([start, frames, moov(track(keys), notes), xmp])],
  [
    "sizes of 64 bits",
    Buffer.concat([
      start,
      box("moov", Buffer.concat([clock, track(), box("udta", notes, { isWide: true })]), { isWide: true }),
      frames,
    ]),
  ],
  [
    "a last box without a size",
    Buffer.concat([start, frames, box("moov", Buffer.concat([clock, track(), notes]), { size: 0 })]),
  ],
  [
    "notes larger than a write",
    Buffer.concat([start, frames, moov(track(), box("udta", Buffer.concat([Buffer.alloc(150_000, 9), notes])))]),
  ],
])(
  "a recording with %s loses where it was taken; what is played stays, byte by byte and in its place",
  async (_, bytes) => {
    expect(bytes.includes(PLACE)).toBe(true);
    const kept = await cleaned(bytes);
    expect(kept).toHaveLength(bytes.length);
    expect(kept.includes(PLACE)).toBe(false);
    expect(kept.includes("free")).toBe(true);
    expect(played(kept)).toEqual(played(bytes));
    expect(played(kept)).not.toContain(-1);
    // Again, it is as it was.
    expect((await cleaned(kept)).equals(kept)).toBe(true);
  },
);

test.each<[string, Buffer]>([
  [
    "notes that claim more than their box",
    Buffer.concat([start, moov(track(), box("udta", PLACE, { size: 4_000_000_000 })), frames]),
  ],
  [
    "a moov that claims more than the file",
    Buffer.concat([start, frames, box("moov", Buffer.concat([clock, notes]), { size: 9_999_999 })]),
  ],
  [
    "notes that claim more than numbers hold",
    Buffer.concat([start, frames, moov(box("udta", PLACE, { isWide: true, size: 2 ** 62 }))]),
  ],
])("%s end where that does", async (_, bytes) => {
  const kept = await cleaned(bytes);
  expect(kept).toHaveLength(bytes.length);
  expect(kept.includes(PLACE)).toBe(false);
  expect(kept.includes(frames)).toBe(true);
});

test.each<[string, Buffer]>([
  ["nothing", Buffer.alloc(0)],
  ["half of a header", Buffer.from([0, 0, 0])],
  ["a box smaller than its header", Buffer.concat([start, box("moov", notes, { size: 4 })])],
  [
    "half of a wide header",
    Buffer.concat([start, Buffer.from([0, 0, 0, 1]), Buffer.from("moov"), Buffer.from([0, 0])]),
  ],
  ["a wide size smaller than its header", Buffer.concat([start, box("moov", notes, { isWide: true, size: 3 })])],
  ["very many boxes", Buffer.concat(Array.from({ length: 30_000 }, () => box("skip", "")))],
  ["no notes", Buffer.concat([start, frames, moov(track())])],
])("a file of %s stays as it is", async (_, bytes) => {
  expect((await cleaned(bytes)).equals(bytes)).toBe(true);
});

test("a voice memo loses its name, which may be where it was taken, and its place", async () => {
  const path = join(folder, "memo");
  const name = box("meta", box("ilst", box("\u00a9nam", "Harbour Road")));
  await writeFile(path, Buffer.concat([box("ftyp", "M4A \0\0\0\0M4A mp42"), frames, moov(track(), notes, name)]));
  const images = createImages({ logger: createLogger({ level: "silent" }) });
  const { file } = await prepareFile(path, { received: { size: 1, hash: "of what was received" }, images });
  const kept = await readFile(path);
  expect(file).toMatchObject({ type: "audio/x-m4a", size: kept.length });
  expect([PLACE, "Harbour Road"].filter((text) => kept.includes(text))).toEqual([]);
  expect(kept.includes(frames)).toBe(true);
});

test("an upload that is a recording is stored without its location, and measured as it is stored", async () => {
  const path = join(folder, "upload");
  await writeFile(path, Buffer.concat([start, frames, moov(track(), notes)]));
  const images = createImages({ logger: createLogger({ level: "silent" }) });
  const received = { size: 1, hash: "of what was received" };
  const { file } = await prepareFile(path, { received, images });
  expect(file).toMatchObject({ type: "video/mp4", size: (await readFile(path)).length, thumbnailHash: null });
  expect(file.hash).toMatch(/^[0-9a-f]{64}$/);
  expect((await readFile(path)).includes(PLACE)).toBe(false);
  expect(["video/quicktime", "video/x-m4v", "video/webm", "image/heic"].map(isRecording)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
