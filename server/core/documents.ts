import { createHash } from "node:crypto";
import { once } from "node:events";
import { PassThrough, type Transform } from "node:stream";
import { brotliCompressSync, constants, createBrotliCompress, createGzip, gzipSync } from "node:zlib";
import type { Context } from "hono";
import { accepts } from "hono/accepts";

/** A document that is the same for everybody, in each of the forms in which it is sent: made once, at the first visitor who wants it. */
export interface Page {
  html: string;
  etag: string;
  encoded: Map<string, Uint8Array<ArrayBuffer>>;
}

/** At its best for a few tens of kilobytes in a few milliseconds: 11 takes ten times as long and saves 4 %. */
const BROTLI_QUALITY = 9;
/** For what is compressed while somebody waits. */
const STREAM_BROTLI_QUALITY = 4;

export function pageOf(html: string): Page {
  const hash = createHash("sha256").update(html).digest("base64url").slice(0, 22);
  return { html, etag: `W/"${hash}"`, encoded: new Map() };
}

/** Sends a document that browsers may keep, and ask about each time. */
export function sendPage(c: Context, page: Page, status: 200 | 404 = 200): Response {
  c.header("cache-control", "no-cache");
  c.header("etag", page.etag);
  const encoding = encodingFor(c);
  if (encoding === "identity") return c.html(page.html, status);
  const body = page.encoded.get(encoding) ?? encode(page.html, encoding);
  page.encoded.set(encoding, body);
  return c.body(body, status, { "content-type": "text/html; charset=UTF-8" });
}

/** Sends a document of one person, that nothing may keep: each part as soon as it is there, for the browser to begin with. */
export function streamDocument(c: Context, parts: () => AsyncIterable<string>): Response {
  c.header("cache-control", "no-store");
  c.header("content-type", "text/html; charset=UTF-8");
  const encoding = encodingFor(c);
  return c.req.method === "HEAD" ? c.body(null) : c.body(encodedStream(parts(), encoding));
}

/** Says in the headers how the body has to be encoded, and that it depends on what was asked for. */
function encodingFor(c: Context): string {
  c.header("vary", "Accept-Encoding");
  const supports = ["br", "gzip", "identity"];
  const encoding = accepts(c, { header: "Accept-Encoding", supports, default: "identity", match: preferredEncoding });
  if (encoding !== "identity") c.header("content-encoding", encoding);
  return encoding;
}

/** Of what a browser likes equally well, the first that we support: browsers name gzip before br and mean nothing by it. */
function preferredEncoding(
  wanted: { type: string; q: number }[],
  { supports, default: none }: { supports: string[]; default: string },
): string {
  const liking = (encoding: string) => wanted.find(({ type }) => type === encoding)?.q ?? 0;
  const [best] = supports.filter((encoding) => liking(encoding) > 0).sort((a, b) => liking(b) - liking(a));
  return best ?? none;
}

function encode(html: string, encoding: string): Uint8Array<ArrayBuffer> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  return new Uint8Array(encoding === "br" ? brotliCompressSync(html, { params }) : gzipSync(html, { level: 9 }));
}

function encodedStream(parts: AsyncIterable<string>, encoding: string): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = encoderOf(encoding);
  const chunks: AsyncIterator<Buffer<ArrayBuffer>> = encoder[Symbol.asyncIterator]();
  void writeParts(encoder, parts);
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(new Uint8Array(value));
    },
    cancel: () => void encoder.destroy(),
  });
}

function encoderOf(encoding: string): Transform & { flush?: (done: () => void) => void } {
  if (encoding === "identity") return new PassThrough();
  const params = { [constants.BROTLI_PARAM_QUALITY]: STREAM_BROTLI_QUALITY };
  return encoding === "br" ? createBrotliCompress({ params }) : createGzip();
}

async function writeParts(encoder: ReturnType<typeof encoderOf>, parts: AsyncIterable<string>): Promise<void> {
  // Of a visitor who has gone.
  encoder.on("error", () => undefined);
  for await (const part of parts) {
    if (encoder.destroyed) return;
    if (!encoder.write(part))
      await Promise.race([once(encoder, "drain"), once(encoder, "close")]).catch(() => undefined);
    encoder.flush?.(() => undefined);
  }
  encoder.end();
}
