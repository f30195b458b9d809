import * as z from "zod/mini";
import { insertAudit } from "../audit/mutations";
import { MESSAGES } from "../contract/messages";
import type { ExportedProject } from "../contract/views";
import { type ConcurrencyLimit, createConcurrencyLimit } from "../core/concurrency-limit";
import type { Context } from "../core/context";
import { answerDownload, type TracedCall } from "../core/downloads";
import { DomainError, ValidationError } from "../core/errors";
import { describeError } from "../core/logger";
import { requireActiveSession } from "../core/procedures";
import { RateLimitedError } from "../core/rate-limit";
import { csvOf } from "./csv";
import { type ExportPiece, planExport, readExport } from "./export";

const FORMATS = {
  csv: { contentType: "text/csv; charset=utf-8; header=present", write: csvOf },
  json: { contentType: "application/json; charset=utf-8", write: jsonOf },
} satisfies Record<
  string,
  { contentType: string; write: (pieces: AsyncIterable<ExportPiece>, at: Date) => AsyncIterable<string> }
>;
type ExportFormat = keyof typeof FORMATS;
export const EXPORT_FORMATS = ["csv", "json"] as const satisfies readonly ExportFormat[];

/** Of one person in this process: each holds a piece in memory for as long as nobody fetches it, which may be hours. */
const MAX_CONCURRENT = 5;
const TRY_AGAIN_SECONDS = 10;

/** With `scope=mine` an admin takes out what the own board shows, and not everything. */
export const exportQuerySchema = z.strictObject({ scope: z.optional(z.enum(["mine", "all"])) });

type Download = (call: Context, asked: Asked) => Promise<Response>;

interface Asked {
  format: ExportFormat;
  query: Record<string, string>;
  /** False for HEAD: what would be answered, without anything taken out. */
  isFetched: boolean;
}

/**
 * Projects with their tasks and comments as a file: everything for admins, for users what they see; clients are refused. The checks are
 * those of procedures, in their order and with their errors; what is taken out is audited. The body is read from the
 * database as fast as it is fetched, in pieces, and breaks off when the session ends. Five of a person at a time, else
 * TOO_MANY_REQUESTS. Never rejects.
 */
export function createDownloads(): Download {
  const slots = createConcurrencyLimit(MAX_CONCURRENT, () => new RateLimitedError(TRY_AGAIN_SECONDS));
  return (call, asked) =>
    answerDownload(call, {
      name: `export.${asked.format}`,
      start: (traced) => startDownload({ ...traced, slots }, asked),
    });
}

async function startDownload(
  call: TracedCall & { slots: ConcurrencyLimit },
  { format, query, isFetched }: Asked,
): Promise<Response> {
  // Counted as a write: each leaves a row in the audit, which nobody may flood.
  const { actor, id: sessionId } = await requireActiveSession(call, "write");
  if (actor.accountType === "client") throw new DomainError("FORBIDDEN", MESSAGES.general.notAllowed);
  const parsed = exportQuerySchema.safeParse(query);
  if (!parsed.success)
    throw new ValidationError<z.output<typeof exportQuerySchema>>({ scope: [MESSAGES.general.unreadable] });
  const { scope = "all" } = parsed.data;
  const { contentType, write } = FORMATS[format];
  const at = new Date();
  const headers = {
    "content-type": contentType,
    "content-disposition": `attachment; filename="sangam-projects-${at.toISOString().slice(0, 10)}.${format}"`,
  };
  if (!isFetched) return new Response(null, { headers });
  const release = call.slots.acquire(actor.id);
  try {
    const planned = await planExport(call.db, { actor, scope });
    await insertAudit(call.db, {
      kind: "projects.exported",
      actorId: actor.id,
      subjectId: null,
      details: {
        format,
        scope: actor.accountType === "admin" ? scope : ("mine" satisfies typeof scope),
        projects: planned.length,
      },
    });
    const requireLive = () => call.requireLive({ sessionId, actorId: actor.id });
    const texts = write(readExport(call.db, { planned, actor, requireLive }), at);
    return new Response(bodyOf(texts, { logger: call.logger, release }), { headers });
  } catch (error) {
    release();
    throw error;
  }
}

/** What is not fetched is not read: the next piece waits until the one before is on its way. */
function bodyOf(
  texts: AsyncGenerator<string>,
  { logger, release }: Pick<Context, "logger"> & { release: () => void },
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await texts.next();
        if (!done) {
          controller.enqueue(encoder.encode(value));
          return;
        }
        release();
        controller.close();
      } catch (error) {
        release();
        // The answer has begun, so that it can only break off: a download that fails, and no half of a file.
        if (!(error instanceof DomainError)) logger.error("export", describeError(error));
        controller.error(new Error("the download was broken off"));
      }
    },
    cancel() {
      release();
      void texts.return(undefined);
    },
  });
}

/** `{ exportedAt, projects: [{ …, tasks: [{ … }], comments: [{ … }] }] }`, in the names of the contract, piece by piece. */
async function* jsonOf(pieces: AsyncIterable<ExportPiece>, exportedAt: Date): AsyncGenerator<string> {
  let before = `{"exportedAt":${JSON.stringify(exportedAt)},"projects":[\n`;
  let [hasTask, hasComment] = [false, false];
  for await (const { project, tasks, comments, isFirst, isLast } of pieces) {
    // Open at its end: the tasks follow, and after them the comments.
    if (isFirst) yield `${before}${JSON.stringify(project).slice(0, -1)}${opening("tasks")}`;
    if (isFirst) [hasTask, hasComment] = [false, false];
    if (tasks.length > 0) yield `${hasTask ? "," : ""}${joined(tasks)}`;
    hasTask ||= tasks.length > 0;
    if (comments.length > 0) yield `${hasComment ? "," : `]${opening("comments")}`}${joined(comments)}`;
    hasComment ||= comments.length > 0;
    if (isLast) yield hasComment ? "]}" : `]${opening("comments")}]}`;
    before = ",\n";
  }
  yield before.startsWith("{") ? `${before}]}\n` : "\n]}\n";
}

/** The beginning of a list, by its name in the contract. */
function opening(name: keyof Pick<ExportedProject, "tasks" | "comments">): string {
  return `,"${name}":[`;
}

function joined(rows: readonly object[]): string {
  return rows.map((row) => JSON.stringify(row)).join(",");
}
