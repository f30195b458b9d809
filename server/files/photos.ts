import { eq } from "drizzle-orm";
import { userPhotos } from "../../db/schema";
import type { Context } from "../core/context";
import type { createFileDownloads } from "./download";

/** A new picture has a new address. Not for longer: it can be removed, and its person be erased. */
const HELD_SECONDS = 86_400;

type Download = ReturnType<typeof createFileDownloads>;

/**
 * The picture of a person, small, for everybody who is signed in. Held by browsers for a day: it stands on every page, often many
 * times. Never rejects.
 */
export function createPhotoDownloads(download: Download) {
  return async (call: Context, asked: Omit<Parameters<Download>[1], "part" | "use">): Promise<Response> => {
    const answer = await download(call, { ...asked, part: "thumbnail", use: null });
    const isHeld = answer.ok || answer.status === 304;
    if (isHeld && (await call.db.$count(userPhotos, eq(userPhotos.fileId, asked.id))) > 0)
      answer.headers.set("cache-control", `private, max-age=${HELD_SECONDS}`);
    return answer;
  };
}
