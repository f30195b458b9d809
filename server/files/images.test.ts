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
