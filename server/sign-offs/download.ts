import type * as z from "zod/mini";
import { MESSAGES } from "../contract/messages";
import { signOffIdSchema } from "../contract/sign-offs";
import type { SignOff } from "../contract/views";
import { createConcurrencyLimit } from "../core/concurrency-limit";
import type { Context } from "../core/context";
import { answerDownload, type TracedCall } from "../core/downloads";
import { DomainError } from "../core/errors";
import { createHelperProcess } from "../core/helper-process";
import { requireActiveSession } from "../core/procedures";
import { RateLimitedError } from "../core/rate-limit";
import type { PdfAnswer } from "./pdf-process";
import { visibleSignOff } from "./procedures";
import { showSignOff } from "./queries";

/** How long the process waits for another document. */
const IDLE_MS = 5_000;
/** A document takes about a second of a core. */
const TIMEOUT_MS = 60_000;
/** Of one person in this process: the documents are drawn one after the other. */
const MAX_CONCURRENT = 2;
const TRY_AGAIN_SECONDS = 10;

/** `isFetched` is false for HEAD: what would be answered, without a document being drawn. */
type Asked = { id: string; isFetched: boolean };

/**
 * A sign-off as a PDF, for whoever may read it: the checks are those of `signOffs.byId`, with their errors. Counted as exports are. Never
 * rejects; a document that can't be drawn is SERVICE_UNAVAILABLE.
 */
export function createSignOffDownloads(): (call: Context, asked: Asked) => Promise<Response> {
  const slots = createConcurrencyLimit(MAX_CONCURRENT, () => new RateLimitedError(TRY_AGAIN_SECONDS));
  const draw = createHelperProcess<SignOff, PdfAnswer>({
    beside: import.meta.url,
    program: "pdf-process",
    idleMs: IDLE_MS,
    timeoutMs: TIMEOUT_MS,
  });
  async function start(call: TracedCall, { id, isFetched }: Asked): Promise<Response> {
    const { actor } = await requireActiveSession(call, "write");
    const { success, data } = signOffIdSchema.safeParse({ signOffId: id } satisfies z.input<typeof signOffIdSchema>);
    if (!success) throw new DomainError("NOT_FOUND", MESSAGES.signOffs.notFound);
    const { db, timeZone } = call;
    const signOff = showSignOff(await visibleSignOff({ db, actor }, data.signOffId), { actor, timeZone });
    const headers = {
      "content-type": "application/pdf",
      "content-disposition": `attachment; filename="sign-off-${signOff.record.project.key}-${signOff.record.askedAt.slice(0, 10)}.pdf"`,
      "x-content-type-options": "nosniff",
    };
    if (!isFetched) return new Response(null, { headers });
    const release = slots.acquire(actor.id);
    try {
      const drawn = await draw(signOff);
      if (drawn && "pdf" in drawn) return new Response(new Uint8Array(drawn.pdf), { headers });
      call.logger.error("sign-off-pdf", { signOffId: id, fault: drawn?.fault ?? "its process ended" });
      throw new DomainError("SERVICE_UNAVAILABLE", MESSAGES.signOffs.pdfFailed, {
        retryAfterSeconds: TRY_AGAIN_SECONDS,
      });
    } finally {
      release();
    }
  }
  return (call, asked) => answerDownload(call, { name: "signOffs.pdf", start: (traced) => start(traced, asked) });
}
