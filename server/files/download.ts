import { MESSAGES } from "../contract/messages";
import { idSchema } from "../contract/text";
import type { Context } from "../core/context";
import { answerDownload, streamOf, type TracedCall } from "../core/downloads";
import { DomainError } from "../core/errors";
import { requireActiveSession } from "../core/procedures";
import { findFile, type StoredFile } from "./queries";
import { type ByteRange, type FileStore, nameOf } from "./store";

/** What browsers show by themselves and run nothing of; all else is saved. */
const SHOWN = /^(image\/(jpeg|png|gif|webp|avif|apng|bmp)|text\/plain)$/;
/** Shown by a viewer of the browser's own, which a sandbox would keep out: only where a page asks for a preview. */
const PREVIEWED = "application/pdf";
const THUMBNAIL_TYPE = "image/webp";

/** No answer of these runs anything: the bytes are somebody's. */
const HARMLESS = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "SAMEORIGIN",
  "cache-control": "private, no-cache, no-transform",
};
const SANDBOX = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox";
const VIEWER = "default-src 'none'; object-src 'self'; frame-ancestors 'self'";

interface Asked {
  id: string;
  part: "file" | "thumbnail";
  headers: Headers;
  /** False for HEAD. */
  isFetched: boolean;
  /** `preview` shows a PDF, `download` saves whatever it is. */
  use: "preview" | "download" | null;
}

/**
 * A file, or its thumbnail, for whoever may see what it hangs on; NOT_FOUND for all others, as for an unknown id. In parts where asked
 * for by Range. Held by browsers, and asked for anew each time, so that who may not see it any more does not. Never rejects.
 */
export function createFileDownloads({ store }: { store: FileStore }) {
  async function start(call: TracedCall, { id, part, headers, isFetched, use }: Asked): Promise<Response> {
    const { actor } = await requireActiveSession(call, "read");
    const parsed = idSchema.safeParse(id);
    const file = parsed.success ? await findFile(call.db, { id: parsed.data, actor }) : null;
    const hash = part === "file" ? file?.hash : file?.thumbnailHash;
    if (!file || !hash) throw new DomainError("NOT_FOUND", MESSAGES.files.notFound);
    const answer = { ...HARMLESS, ...(part === "file" ? shownAs(file, use) : AS_THUMBNAIL), etag: `"${hash}"` };
    if (isHeld(headers, answer.etag)) return new Response(null, { status: 304, headers: answer });
    const range = part === "file" ? rangeOf(headers, { size: file.size, etag: answer.etag }) : null;
    if (range === "unsatisfiable") {
      const all = { ...answer, "content-range": `bytes */${file.size}` };
      return new Response(null, { status: 416, headers: all });
    }
    const opened = await store.open(nameOf(hash), range ?? undefined);
    if (!opened) throw new Error(`the bytes of file ${file.id} are not in the store`);
    const { content, size } = opened;
    if (!isFetched) content.destroy();
    const about = {
      ...answer,
      "content-length": String(size),
      "accept-ranges": part === "file" ? "bytes" : "none",
      ...(range && { "content-range": `bytes ${range.start}-${range.end}/${file.size}` }),
    };
    return new Response(isFetched ? streamOf(content) : null, { status: range ? 206 : 200, headers: about });
  }
  return (call: Context, asked: Asked): Promise<Response> =>
    answerDownload(call, { name: `files.${asked.part}`, start: (traced) => start(traced, asked) });
}

function shownAs({ type, name }: Pick<StoredFile, "type" | "name">, use: Asked["use"]): Record<string, string> {
  const isPreview = type === PREVIEWED && use === "preview";
  const isShown = isPreview || (SHOWN.test(type) && use !== "download");
  // The second name is for all browsers of today; the first for what reads no other.
  const names = `filename="${name.replace(/[^ -~]|["\\%]/gu, "_")}"; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, hexOf)}`;
  return {
    "content-type": type === "text/plain" ? "text/plain; charset=utf-8" : type,
    "content-disposition": `${isShown ? "inline" : "attachment"}; ${names}`,
    "content-security-policy": isPreview ? VIEWER : SANDBOX,
  };
}

const AS_THUMBNAIL = { "content-type": THUMBNAIL_TYPE, "content-security-policy": SANDBOX };

function hexOf(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

function isHeld(headers: Headers, etag: string): boolean {
  const held = headers
    .get("if-none-match")
    ?.split(",")
    .map((one) => one.trim().replace(/^W\//, ""));
  return held !== undefined && (held.includes(etag) || held.includes("*"));
}

/** One range of bytes; null for the whole, which is also the answer to several ranges and to a part of another version. */
function rangeOf(headers: Headers, { size, etag }: { size: number; etag: string }): ByteRange | "unsatisfiable" | null {
  const [, from = "", to = ""] = /^bytes=(\d*)-(\d*)$/.exec(headers.get("range") ?? "") ?? [];
  if ((from === "" && to === "") || (headers.get("if-range") ?? etag) !== etag) return null;
  const start = from === "" ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === "" || to === "" ? size - 1 : Math.min(Number(to), size - 1);
  if (from !== "" && to !== "" && Number(to) < start) return null;
  return start >= size || end < start ? "unsatisfiable" : { start, end };
}
