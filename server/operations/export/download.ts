import { addAbortSignal, type Readable } from "node:stream";
import type { Connection } from "../../../db/client";
import { insertAudit } from "../../audit/mutations";
import { createConcurrencyLimit } from "../../core/concurrency-limit";
import type { Context } from "../../core/context";
import { answerDownload, type TracedCall } from "../../core/downloads";
import { DomainError } from "../../core/errors";
import { describeError } from "../../core/logger";
import { findActiveSession, requireFreshProof, requireType, sessionEnded } from "../../core/procedures";
import { RateLimitedError } from "../../core/rate-limit";
import type { FileStore } from "../../files/store";
import { createExport } from "./write";

/** Of this process: each holds a transaction open for as long as it is fetched. */
const MAX_CONCURRENT = 2;
const TRY_AGAIN_SECONDS = 60;
const MAX_MS = 3_600_000;

/**
 * The exit pack as a download, for admins who have just shown who they are; audited. It is read as fast as it is fetched, at most for
 * an hour, and breaks off when the session ends. Two at a time, else TOO_MANY_REQUESTS. Never rejects.
 */
export function createEverythingDownload(source: { connection: Connection; store: FileStore }) {
  const slots = createConcurrencyLimit(MAX_CONCURRENT, () => new RateLimitedError(TRY_AGAIN_SECONDS));
  async function start(call: TracedCall, isFetched: boolean): Promise<Response> {
    const session = await findActiveSession(call, "write");
    if (!session) throw sessionEnded();
    const { actor, id: sessionId, isKey } = session;
    requireType(actor, ["admin"]);
    await requireFreshProof({ ...call, sessionId, isKey });
    const headers = {
      "content-type": "application/zip",
      "content-disposition": `attachment; filename="sangam-${new Date().toISOString().slice(0, 10)}.zip"`,
    };
    if (!isFetched) return new Response(null, { headers });
    const release = slots.acquire("everyone");
    try {
      await insertAudit(call.db, { kind: "data.exported", actorId: actor.id, subjectId: null });
    } catch (error) {
      release();
      throw error;
    }
    const content = createExport({ ...source, between: () => call.requireLive({ sessionId, actorId: actor.id }) });
    addAbortSignal(AbortSignal.timeout(MAX_MS), content);
    content.once("close", release);
    content.on("error", (error) => {
      if (!(error instanceof DomainError)) call.logger.error("export", describeError(error));
    });
    return new Response(bodyOf(content), { headers });
  }
  return (call: Context, { isFetched }: { isFetched: boolean }) =>
    answerDownload(call, { name: "export.everything", start: (traced) => start(traced, isFetched) });
}

/** What is not fetched is not read. */
function bodyOf(content: Readable): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = content[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await chunks.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      } catch {
        controller.error(new Error("the download was broken off"));
      }
    },
    cancel: () => void content.destroy(),
  });
}
