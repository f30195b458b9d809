import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { composed, fileNameSchema, MAX_FILE_BYTES } from "../contract/files";
import { MESSAGES } from "../contract/messages";
import { lineOf } from "../contract/shown-text";
import type { File } from "../contract/views";
import { createConcurrencyLimit } from "../core/concurrency-limit";
import type { Actor, Context } from "../core/context";
import { answerDownload, type TracedCall } from "../core/downloads";
import { DomainError, plainErrorResponse, ValidationError } from "../core/errors";
import { requireActiveSession } from "../core/procedures";
import { RateLimitedError } from "../core/rate-limit";
import type { Images } from "./images";
import { discardPrepared, isStored, prepareFile, putPrepared, writeMeasured } from "./intake";
import { insertUpload, requireOwnRoom, requireRoom } from "./mutations";
import { markStore } from "./ownership";
import type { FileStore } from "./store";

/** Of one person in this process, so that nobody fills the disk with what is not recorded yet. */
const MAX_CONCURRENT = 20;
const TRY_AGAIN_SECONDS = 10;
/** An upload of which nothing more comes is given up. */
const IDLE_MS = 60_000;
/** Of each turn of the event loop. */
const TURN_MS = 0.3;

interface Uploads {
  store: FileStore;
  images: Images;
  /** Where uploads are written until they are whole: on the disk of the store, where that is one. */
  folder: string;
  /** Of all files together. */
  quotaBytes: number;
}

/**
 * A file as the raw body of a request, by any active person, under a name: written to the disk as it comes, measured and hashed on the
 * way, so that little of it is in memory. It is its uploader's alone until it is attached. One that breaks off leaves nothing. Refusals
 * have a body of their own: `{ message, reason }`; PAYLOAD_TOO_LARGE above 25 MB, CONFLICT where the quota is exceeded or too
 * much of the person's waits to be attached. Never rejects.
 */
export function createUploads(options: Uploads) {
  const slots = createConcurrencyLimit(MAX_CONCURRENT, () => new RateLimitedError(TRY_AGAIN_SECONDS));
  async function start(call: TracedCall, request: Request): Promise<Response> {
    const { actor, scope } = await requireActiveSession(call, "write");
    try {
      if (scope === "read") throw new DomainError("FORBIDDEN", MESSAGES.apiKeys.readsOnly);
      const name = readName(request.url);
      const release = slots.acquire(actor.id);
      try {
        return Response.json(await receive(call, { request, name, by: actor, ...options }));
      } finally {
        release();
      }
    } catch (error) {
      // Browsers show no answer to what they are still sending.
      await discard(request);
      throw error;
    }
  }
  return (call: Context, request: Request): Promise<Response> =>
    answerDownload(call, {
      name: "files.upload",
      type: "mutation",
      start: (traced) => start(traced, request),
      refuse: plainErrorResponse,
    });
}

/** What browsers and systems put before a name is no part of it. */
function readName(url: string): string {
  const given = composed(new URL(url).searchParams.get("name") ?? "");
  const parsed = fileNameSchema.safeParse(
    lineOf(given.slice(Math.max(given.lastIndexOf("/"), given.lastIndexOf("\\")) + 1)),
  );
  if (parsed.success) return parsed.data;
  throw new ValidationError<{ name: string }>({ name: parsed.error.issues.map(({ message }) => message) });
}

async function receive(
  { db }: TracedCall,
  { request, name, by, store, images, folder, quotaBytes }: Uploads & { request: Request; name: string; by: Actor },
): Promise<File> {
  const declared = Number(request.headers.get("content-length") ?? 0);
  if (declared > MAX_FILE_BYTES) throw tooLarge();
  await requireRoom(db, { size: declared, quotaBytes });
  await requireOwnRoom(db, { size: declared, by });
  const path = join(folder, randomUUID());
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const received = await writeMeasured(path, () => chunksOf(request));
    const prepared = await prepareFile(path, { received, images });
    await markStore(db, store);
    await putPrepared(store, prepared);
    const file = { name, ...prepared.file };
    return await insertUpload(db, { file, by, quotaBytes, isStored: () => isStored(store, prepared) });
  } catch (error) {
    throw isFull(error)
      ? new DomainError("CONFLICT", MESSAGES.files.quotaExceeded, { reason: "quota-exceeded" })
      : error;
  } finally {
    await discardPrepared(path);
  }
}

/** No room on the disk is no room, whatever the quota says. Admins get an email before it comes to that. */
function isFull(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT");
}

/**
 * Lets chunks of uploads through in the order of their coming, in each turn of the event loop for so long, so that calls come between:
 * a call takes several turns, and would wait in each for a chunk of all 20 uploads to be hashed.
 */
function createTurns(): () => Promise<void> {
  let turnAt = 0;
  let last = Promise.resolve();
  return () => {
    last = last.then(async () => {
      if (performance.now() - turnAt < TURN_MS) return;
      await setImmediate();
      turnAt = performance.now();
    });
    return last;
  };
}

const nextTurn = createTurns();

/** Bytes of a body as they come; BAD_REQUEST when it breaks off, PAYLOAD_TOO_LARGE when it goes on for too long. */
async function* chunksOf(request: Request): AsyncGenerator<Uint8Array> {
  const reader = request.body?.getReader();
  if (!reader) return;
  const interrupted = new DomainError("BAD_REQUEST", MESSAGES.files.interrupted);
  let isIdle = false;
  const idle = setTimeout(() => {
    isIdle = true;
    void reader.cancel().catch(() => {});
  }, IDLE_MS);
  try {
    for (let size = 0; ; idle.refresh()) {
      const { done, value } = await reader.read().catch(() => Promise.reject(interrupted));
      if (isIdle) throw interrupted;
      if (done) return;
      size += value.byteLength;
      if (size > MAX_FILE_BYTES) throw tooLarge();
      await nextTurn();
      yield value;
    }
  } finally {
    clearTimeout(idle);
  }
}

/** What is left of a body that is refused. */
async function discard(request: Request): Promise<void> {
  if (request.bodyUsed) return;
  try {
    for await (const _ of chunksOf(request));
  } catch {
    // Too much of it, or broken off: the connection ends.
  }
}

function tooLarge(): DomainError {
  return new DomainError("PAYLOAD_TOO_LARGE", MESSAGES.files.tooLarge, { reason: "too-large" });
}
