import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createLogger } from "../core/logger";
import { withoutLocation } from "./image-metadata";
import { createImages } from "./images";
import { thumbnailPathOf } from "./picture-work";

let folder: string;
const images = createImages({ logger: createLogger({ level: "silent" }) });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sangam-images-"));
});
afterAll(() => rm(folder, { recursive: true }));

const XMP = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSLatitude="18,31.2N"><exif:GPSLongitude>73,51.4E</exif:GPSLongitude></rdf:Description></rdf:RDF></x:xmpmeta>`;
const TRACES = ["2021:02:03", "18,31.2N", "73,51.4E"];
/** 600 by 300, red on the left; on its side, as cameras write it, with where it was taken. */
const photo = (type: "jpeg" | "png" | "webp" | "tiff") => {
  const left = { create: { width: 300, height: 300, channels: 3, background: "red" } } as const;
  const drawn = sharp({ create: { width: 600, height: 300, channels: 3, background: "blue" } })
    .composite([{ input: left, left: 0, top: 0 }])
    .withExif({
      IFD0: { Make: "Camera" },
      IFD3: { GPSLatitudeRef: "N", GPSLatitude: "18/1 31/1 12/1", GPSAreaInformation: "Pune-Camp" },
    })
    .withXmp(XMP)
    .withMetadata({ orientation: 6 });
  return drawn.toFormat(type).toBuffer();
};
const colourAt = async (picture: Sharp, place: { left: number; top: number }) => {
  const { dominant } = await sharp(await picture.extract({ ...place, width: 10, height: 10 }).toBuffer()).stats();
  return dominant.r > dominant.b ? "red" : "blue";
};

test.each(["jpeg", "png", "webp", "tiff"] as const)(
  "a %s loses where it was taken and keeps its pixels and which side is up",
  async (type) => {
    const bytes = await photo(type);
    const { exif = Buffer.alloc(0), xmp = Buffer.alloc(0) } = await sharp(bytes).metadata();
    const noted = Buffer.concat([exif, xmp]);
    expect(TRACES.some((trace) => noted.includes(trace))).toBe(true);
    const path = join(folder, `photo.${type}`);
    await writeFile(path, bytes);
    const picture = await images.prepare(path, `image/${type}`);
    expect(picture.shown).toMatchObject({ width: 300, height: 600 });
    const kept = await readFile(path);
    expect(picture.kept).toEqual({ size: kept.length, hash: createHash("sha256").update(kept).digest("hex") });
    const about = await sharp(kept).metadata();
    expect(about.orientation).toBe(6);
    for (const trace of TRACES) expect(kept.includes(trace)).toBe(false);
    const pixels = (one: Buffer) => sharp(one).raw().toBuffer();
    expect((await pixels(kept)).equals(await pixels(bytes))).toBe(true);
    const thumbnail = await sharp(thumbnailPathOf(path)).metadata();
    expect(thumbnail).toMatchObject({ format: "webp", width: 240, height: 480 });
    expect(thumbnail.exif).toBeUndefined();
    // Turned right, its left is at the top.
    expect(await colourAt(sharp(thumbnailPathOf(path)), { left: 100, top: 20 })).toBe("red");
    expect(await colourAt(sharp(thumbnailPathOf(path)), { left: 100, top: 450 })).toBe("blue");
  },
);

test("what only looks like a picture stays as it is, without a thumbnail", async () => {
  const path = join(folder, "broken.jpg");
  const bytes = (await photo("jpeg")).subarray(0, 150);
  await writeFile(path, bytes);
  expect((await images.prepare(path, "image/jpeg")).shown).toBeNull();
  const stub = Buffer.from([0xff, 0xd8, 0xff, 0xe0]);
  expect(Buffer.concat(withoutLocation(stub, { type: "image/jpeg", orientation: 1 })).equals(stub)).toBe(true);
});

test("coordinates are overwritten in kinds of files that are not taken apart, such as HEIC", async () => {
  const exif = (await sharp(await photo("jpeg")).metadata()).exif ?? Buffer.alloc(0);
  const bytes = Buffer.concat([Buffer.from("....ftypheic"), Buffer.alloc(90), exif, Buffer.from(XMP)]);
  const kept = Buffer.concat(withoutLocation(bytes, { type: "image/heic", orientation: 1 }));
  expect(kept).toHaveLength(bytes.length);
  expect(kept.includes("Camera")).toBe(true);
  for (const trace of TRACES) expect(kept.includes(trace)).toBe(false);
});

/** Entries of a folder of TIFF that begins at `at`, little-endian, with long values behind it. */
function folderOf(at: number, entries: readonly [tag: number, type: number, count: number, value: Buffer][]): Buffer {
  const head = Buffer.alloc(2 + 12 * entries.length + 4);
  head.writeUInt16LE(entries.length);
  const values: Buffer[] = [];
  let valueAt = at + head.length;
  for (const [index, [tag, type, count, value]] of entries.entries()) {
    const entry = 2 + 12 * index;
    head.writeUInt16LE(tag, entry);
    head.writeUInt16LE(type, entry + 2);
    head.writeUInt32LE(count, entry + 4);
    if (value.length <= 4) value.copy(head, entry + 8);
    else {
      head.writeUInt32LE(valueAt, entry + 8);
      values.push(value);
      valueAt += value.length;
    }
  }
  return Buffer.concat([head, ...values]);
}

test.each([
  ["Canon's CR3, whose folder of coordinates is the first one", "....ftypcrx ", "II*\0", false],
  ["Olympus's ORF", "", "IIRO", true],
  ["Olympus's ORF of larger pictures", "", "IIRS", true],
  ["Panasonic's RW2", "", "IIU\0", true],
])("coordinates are overwritten in raw photos: %s", (_name, before, mark, isLinked) => {
  const head = Buffer.concat([Buffer.from(mark, "latin1"), Buffer.from([8, 0, 0, 0])]);
  const make = Buffer.from("Camera\0\0", "latin1");
  const pointer = Buffer.alloc(4);
  const linking = () =>
    folderOf(8, [
      [0x010f, 2, 8, make],
      [0x8825, 4, 1, pointer],
    ]);
  const gpsAt = 8 + (isLinked ? linking().length : 0);
  pointer.writeUInt32LE(gpsAt);
  const latitude = Buffer.from(Uint32Array.of(18, 1, 31, 1, 12, 1).buffer);
  const gps = folderOf(gpsAt, [
    [0, 1, 4, Buffer.from([2, 3, 0, 0])],
    [1, 2, 2, Buffer.from("N\0")],
    [2, 5, 3, latitude],
    [0x1d, 2, 11, Buffer.from("2021:02:03\0")],
  ]);
  const block = Buffer.concat([head, ...(isLinked ? [linking()] : []), gps]);
  const pixels = Buffer.from("IIRO II*\0 and pixels");
  const bytes = Buffer.concat([Buffer.from(before), block, pixels]);
  const kept = Buffer.concat(withoutLocation(bytes, { type: "image/x-raw", orientation: 1 }));
  expect(kept).toHaveLength(bytes.length);
  expect([kept.includes(latitude), kept.includes("2021:02:03")]).toEqual([false, false]);
  expect(kept.subarray(before.length, before.length + 8).equals(head)).toBe(true);
  expect(kept.subarray(-pixels.length).equals(pixels)).toBe(true);
  expect(kept.includes(make)).toBe(isLinked);
});

test("a folder that is none of coordinates stays as it is", () => {
  const head = Buffer.from("II*\0\x08\0\0\0", "latin1");
  const other = folderOf(8, [
    [0, 3, 1, Buffer.from([7, 0, 0, 0])],
    [2, 2, 8, Buffer.from("Ashore!\0")],
  ]);
  const bytes = Buffer.concat([head, other]);
  const kept = Buffer.concat(withoutLocation(bytes, { type: "image/x-raw", orientation: 1 }));
  expect(kept.equals(bytes)).toBe(true);
});
