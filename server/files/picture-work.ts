import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import type { Sharp, SharpOptions } from "sharp";
import { withoutLocation } from "./image-metadata";

/** Of pixels on the longer side: two for each of what lists and comments show. */
const THUMBNAIL_SIZE = 480;
const THUMBNAIL_QUALITY = 75;
/** Of pixels in all: a small file may hold a very large picture. */
const MAX_PIXELS = 150_000_000;
/** By the clock, of which a busy machine gives a process of low priority little. Below the time after which the process is ended. */
const TIMEOUT_SECONDS = 50;

/** Bytes on the disk. */
export interface MeasuredBytes {
  size: number;
  /** SHA-256 in hexadecimal. */
  hash: string;
}

/** A picture as it is kept; `shown` says how large it is as it is shown, and is null for what cannot be shown. */
export interface PreparedPicture {
  kept: MeasuredBytes;
  shown: { width: number; height: number; thumbnail: MeasuredBytes } | null;
}

export type ReadPicture = (path: string, options: SharpOptions) => Sharp;

/** Where the thumbnail of the picture at `path` is written. */
export function thumbnailPathOf(path: string): string {
  return `${path}.thumbnail`;
}

/**
 * Makes a thumbnail beside the picture at `path`, and takes from the picture where it was taken. Without `read` there is no thumbnail.
 * Pictures are read piece by piece where their format allows it.
 */
export async function preparePicture(
  { path, type }: { path: string; type: string },
  read: ReadPicture | null,
): Promise<PreparedPicture> {
  const open = () => read?.(path, { limitInputPixels: MAX_PIXELS, failOn: "none" });
  const about = await open()
    ?.metadata()
    .catch(() => null);
  const made = await open()
    ?.autoOrient()
    .resize(THUMBNAIL_SIZE, THUMBNAIL_SIZE, { fit: "inside", withoutEnlargement: true })
    .webp({ quality: THUMBNAIL_QUALITY })
    .timeout({ seconds: TIMEOUT_SECONDS })
    .toFile(thumbnailPathOf(path))
    .catch(() => null);
  const orientation = about?.orientation ?? 1;
  await writeFile(path, withoutLocation(await readFile(path), { type, orientation }), { flush: true });
  return {
    kept: await measureFile(path),
    shown: about && made ? { ...about.autoOrient, thumbnail: await measureFile(thumbnailPathOf(path)) } : null,
  };
}

/** How many bytes a file has, and their hash: read as a stream. */
export async function measureFile(path: string): Promise<MeasuredBytes> {
  const hash = createHash("sha256");
  let size = 0;
  for await (const chunk of createReadStream(path)) {
    size += chunk.length;
    hash.update(chunk);
  }
  return { size, hash: hash.digest("hex") };
}
