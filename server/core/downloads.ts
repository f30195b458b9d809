import type { Readable } from "node:stream";
import type { Context } from "./context";
import { errorResponse, toTrpcError } from "./errors";
import { describeError } from "./logger";

/** A call that notes who makes it, for the log. */
export type TracedCall = Context & { trace: { actorId: string | null } };

interface Transfer {
  name: string;
  /** A mutation for what comes from the browser. */
  type?: "query" | "mutation";
  start: (call: TracedCall) => Promise<Response>;
  refuse?: typeof errorResponse;
}

/** A file for the browser, or of it, by an address of its own: answered, refused and logged like a call of a procedure. Never rejects. */
export async function answerDownload(
  call: Context,
  { name, type = "query", start, refuse = errorResponse }: Transfer,
): Promise<Response> {
  const line = { procedure: name, type };
  const trace: { actorId: string | null } = { actorId: null };
  try {
    const answer = await start({ ...call, trace });
    call.logger.info("call", { ...line, actorId: trace.actorId, code: "OK" });
    return answer;
  } catch (error) {
    const answer = refuse(error, { requestId: call.requestId });
    const about = { ...line, actorId: trace.actorId, code: toTrpcError(error).code };
    if (answer.status === 500) call.logger.error("call", { ...about, ...describeError(error) });
    else call.logger.info("call", about);
    return answer;
  }
}

/** A body of which nothing is read before it is fetched. */
export function streamOf(content: Readable): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = content[Symbol.asyncIterator]();
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      cancel: () => void content.destroy(),
    },
    { highWaterMark: 0 },
  );
}
