import type { Context } from "./context";
import { errorResponse, toTrpcError } from "./errors";
import { describeError } from "./logger";

/** A call that notes who makes it, for the log. */
export type TracedCall = Context & { trace: { actorId: string | null } };

/** A file for the browser, by an address of its own: answered, refused and logged like a call of a procedure. Never rejects. */
export async function answerDownload(
  call: Context,
  { name, start }: { name: string; start: (call: TracedCall) => Promise<Response> },
): Promise<Response> {
  const line = { procedure: `export.${name}`, type: "query" };
  const trace: { actorId: string | null } = { actorId: null };
  try {
    const answer = await start({ ...call, trace });
    call.logger.info("call", { ...line, actorId: trace.actorId, code: "OK" });
    return answer;
  } catch (error) {
    const answer = errorResponse(error);
    const about = { ...line, actorId: trace.actorId, code: toTrpcError(error).code };
    if (answer.status === 500) call.logger.error("call", { ...about, ...describeError(error) });
    else call.logger.info("call", about);
    return answer;
  }
}
