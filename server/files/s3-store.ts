import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { S3mini } from "s3mini";
import { streamOf } from "../core/downloads";
import type { ByteRange, FileStore } from "./store";

const PAGE = 1_000;
const MARKER = ".sangam-store";
/** Below the time after which PostgreSQL ends a transaction that gets no statement: some are asked within one (`lockFiles`). */
const CALL_TIMEOUT_MS = 5_000;
const MAX_SILENCE_MS = 30_000;

/**
 * Files in a bucket of S3, or of what speaks like it: `https://KEY:SECRET@HOST/BUCKET/FOLDER?region=REGION`, with a folder where
 * several use one bucket. One request for each file: none is larger than S3 takes at once. Every call rejects that has no answer in
 * time, and every transfer of which nothing moves for `maxSilenceMs`.
 */
export function createS3Store(
  url: string,
  {
    callTimeoutMs = CALL_TIMEOUT_MS,
    maxSilenceMs = MAX_SILENCE_MS,
  }: { callTimeoutMs?: number; maxSilenceMs?: number } = {},
): FileStore {
  const { origin, pathname, username, password, searchParams } = new URL(url);
  const [bucket = "", ...folders] = pathname.split("/").filter((part) => part !== "");
  const access = {
    accessKeyId: decodeURIComponent(username),
    secretAccessKey: decodeURIComponent(password),
    endpoint: `${origin}/${bucket}`,
    region: searchParams.get("region") ?? "us-east-1",
  };
  const s3 = new S3mini({ ...access, requestAbortTimeout: callTimeoutMs });
  const transfers = new S3mini({
    ...access,
    fetch: (input, init) => fetchUnlessSilent(input, { ...init, maxSilenceMs }),
  });
  const folder = folders.map((part) => `${part}/`).join("");
  const read = async (by: S3mini, name: string, range?: ByteRange): Promise<Response | null> => {
    try {
      return await (range
        ? by.getObjectRaw(`${folder}${name}`, false, range.start, range.end + 1)
        : by.getObjectRaw(`${folder}${name}`));
    } catch (error) {
      if (error instanceof Error && "status" in error && error.status === 404) return null;
      throw error;
    }
  };
  return {
    place: `the bucket ${bucket}${folder && `, folder ${folder}`} of ${new URL(url).host}`,
    async put(name, path) {
      const { size } = await stat(path);
      const content = streamOf(createReadStream(path));
      await transfers.putObject(`${folder}${name}`, content, "application/octet-stream", undefined, undefined, size);
    },
    async open(name, range) {
      const answer = await read(transfers, name, range);
      if (!answer?.body) return null;
      const content = readableOf(answer.body, maxSilenceMs);
      return { content, size: Number(answer.headers.get("content-length")) };
    },
    has: async (name) => (await s3.objectExists(`${folder}${name}`)) === true,
    async *list() {
      for (let token: string | undefined; ; ) {
        const page = await s3.listObjectsPaged("/", folder, PAGE, token);
        for (const { Key, Size, LastModified } of page?.objects ?? []) {
          const name = Key.slice(folder.length);
          if (name !== MARKER) yield { name, size: Number(Size), putAt: new Date(LastModified) };
        }
        token = page?.nextContinuationToken;
        if (token === undefined) return;
      }
    },
    delete: async (name) => void (await s3.deleteObject(`${folder}${name}`)),
    readMarker: async () => (await (await read(s3, MARKER))?.text()) ?? null,
    writeMarker: async (marker) => void (await s3.putObject(`${folder}${MARKER}`, marker)),
  };
}

/** The limit holds from the last bytes that were sent until the answer begins. */
async function fetchUnlessSilent(
  input: RequestInfo | URL,
  { maxSilenceMs, ...init }: RequestInit & { maxSilenceMs: number },
): Promise<Response> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(silent()), maxSilenceMs);
  const sent = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      timer.refresh();
      controller.enqueue(chunk);
    },
  });
  const body = init.body instanceof ReadableStream ? init.body.pipeThrough(sent) : (init.body ?? null);
  try {
    // Node.js sends nothing that is still being read without `duplex`.
    return await fetch(input, { ...init, ...{ body, signal: silence.signal, duplex: "half" } });
  } finally {
    clearTimeout(timer);
  }
}

/** The limit holds while it waits for the next chunk: who fetches may take any time. */
function readableOf(body: ReadableStream<Uint8Array>, maxSilenceMs: number): Readable {
  const reader = body.getReader();
  return new Readable({
    async read() {
      const timer = setTimeout(() => this.destroy(silent()), maxSilenceMs);
      try {
        const { done, value } = await reader.read();
        this.push(done ? null : value);
      } catch (error) {
        this.destroy(error instanceof Error ? error : silent());
      } finally {
        clearTimeout(timer);
      }
    },
    destroy(error, closed) {
      reader.cancel().then(
        () => closed(error),
        () => closed(error),
      );
    },
  });
}

function silent(): Error {
  return new Error("the bucket has been silent for too long");
}
