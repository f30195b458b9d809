import { readFile, writeFile } from "node:fs/promises";
import pLimit from "p-limit";
import { describeError, type Logger } from "../core/logger";
import { withoutLocation } from "./image-metadata";

/** Of pixels on the longer side: two for each of what lists and comments show. */
const THUMBNAIL_SIZE = 480;
const THUMBNAIL_QUALITY = 75;
/** Of pixels in all: a small file may hold a very large picture. */
const MAX_PIXELS = 150_000_000;
const TIMEOUT_SECONDS = 20;

/** How large a picture is as it is shown, and where its thumbnail was written. */
interface Picture {
  width: number;
  height: number;
  thumbnailPath: string;
}

export interface Images {
  /**
   * Takes from the picture at `path` where it was taken, and makes a thumbnail beside it. Null for what cannot be shown: a damaged
   * one, or one of a kind that only other programs read.
   */
  prepare(path: string, type: string): Promise<Picture | null>;
}

/** One after the other: a picture is in memory while it is worked on, and all processors are for calls. */
export function createImages({ logger }: { logger: Logger }): Images {
  const oneAtATime = pLimit(1);
  // Loaded with the first picture: it takes a tenth of a start.
  let loading: ReturnType<typeof loadSharp> | null = null;
  return {
    prepare: (path, type) =>
      oneAtATime(async () => {
        loading ??= loadSharp();
        const sharp = await loading.catch((error: unknown) => {
          logger.error("pictures", { ...describeError(error), remedy: "install the package sharp for this platform" });
          return null;
        });
        const bytes = await readFile(path);
        const read = () => sharp?.(bytes, { limitInputPixels: MAX_PIXELS, failOn: "none" });
        const about = await read()
          ?.metadata()
          .catch(() => null);
        await writeFile(path, withoutLocation(bytes, { type, orientation: about?.orientation ?? 1 }), { flush: true });
        const thumbnailPath = `${path}.thumbnail`;
        const made = await read()
          ?.autoOrient()
          .resize(THUMBNAIL_SIZE, THUMBNAIL_SIZE, { fit: "inside", withoutEnlargement: true })
          .webp({ quality: THUMBNAIL_QUALITY })
          .timeout({ seconds: TIMEOUT_SECONDS })
          .toFile(thumbnailPath)
          .catch(() => null);
        return about && made ? { ...about.autoOrient, thumbnailPath } : null;
      }),
  };
}

async function loadSharp() {
  const { default: sharp } = await import("sharp");
  sharp.concurrency(1);
  sharp.cache(false);
  // Of what it can read only what the product shows: pictures of pixels.
  const loaders = ["Jpeg", "Png", "Webp", "Gif", "Heif", "Tiff"].map((name) => `VipsForeignLoad${name}`);
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: loaders });
  return sharp;
}
