import { setPriority } from "node:os";
import * as z from "zod/mini";
import { type PreparedPicture, preparePicture, type ReadPicture } from "./picture-work";

/*
 * A program of its own, which `images.ts` starts: it prepares one picture after the other and ends with its server. What a picture
 * takes of memory is given back with it, a decoder that crashes takes nothing else along, and it knows no secret of the server.
 */

/** A tenth of the claim that the server has on a busy core, all of an idle one. */
const NICENESS = 10;

const requestSchema = z.object({ path: z.string(), type: z.string(), isShown: z.boolean() });

/** What it answers: a picture, or what went wrong with it; and why no thumbnails can be made at all. */
export type PictureAnswer = ({ picture: PreparedPicture } | { fault: string }) & { problem: string | null };

let loading: Promise<ReadPicture> | null = null;

try {
  setPriority(NICENESS);
} catch {
  // Some sandboxes allow no change; it works all the same.
}
// A server that is told to stop first ends its uploads.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {});
process.on("disconnect", () => process.exit());
process.on("message", (message) => void answer(message).then((done) => process.send?.(done)));

async function answer(message: unknown): Promise<PictureAnswer> {
  let problem: string | null = null;
  try {
    const { isShown, ...picture } = requestSchema.parse(message);
    loading ??= isShown ? loadSharp() : null;
    const read = isShown
      ? await loading?.catch((error: unknown) => {
          problem = String(error);
          return null;
        })
      : null;
    return { picture: await preparePicture(picture, read ?? null), problem };
  } catch (error) {
    return { fault: String(error), problem };
  }
}

async function loadSharp(): Promise<ReadPicture> {
  const { default: sharp } = await import("sharp");
  sharp.concurrency(1);
  sharp.cache(false);
  // Of what it can read only what the product shows: pictures of pixels.
  const loaders = ["Jpeg", "Png", "Webp", "Gif", "Heif", "Tiff"].map((name) => `VipsForeignLoad${name}`);
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: loaders });
  return sharp;
}
