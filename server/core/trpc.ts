import { initTRPC, type ProcedureType } from "@trpc/server";
import type { TRPC_ERROR_CODE_KEY } from "@trpc/server/rpc";
import type { Context } from "./context";
import { publicError, toTrpcError } from "./errors";
import { refusalOf } from "./input-envelope";
import { describeError } from "./logger";
import type { LimitName } from "./rate-limit";
import { transformer } from "./transformer";

/** What the reference says of a procedure; set by the base procedures. */
export interface ProcedureMeta {
  /**
   * "active": any signed-in account; "browsers": the same, but by no API key; "employees": users and
   * admins.
   */
  access: "anyone" | "active" | "browsers" | "employees" | "clients" | "clients-and-admins" | "admins";
  /** What a call counts against; without it "read" or "write" by its kind. */
  limit?: LimitName;
  /** What is refused behind an interface, such as that of the auth library, where the reference does not see it. */
  refuses?: { code: TRPC_ERROR_CODE_KEY; sentence: string }[];
}

/** After it an event stream ends, and its reader opens the next one. */
export const MAX_EVENT_STREAM_MS = 600_000;

const t = initTRPC
  .context<Context>()
  .meta<ProcedureMeta>()
  .create({
    transformer,
    isDev: false,
    sse: {
      ping: { enabled: true, intervalMs: 15_000 },
      client: { reconnectAfterInactivityMs: 35_000 },
      maxDurationMs: MAX_EVENT_STREAM_MS,
    },
    errorFormatter({ shape, error, ctx }) {
      const { message, details } = publicError(toTrpcError(error), ctx);
      // What calls no procedure has no path.
      const { code, httpStatus, path } = shape.data;
      return {
        ...shape,
        message,
        data: { code, httpStatus, ...(path !== undefined && { path }), ...details },
      };
    },
  });

export type { ProcedureType };

export const router = t.router;
export const mergeRouters = t.mergeRouters;
export const createCallerFactory = t.createCallerFactory;

/** Filled once it is known who asks; read by the log line. */
interface Trace {
  actorId: string | null;
}

/** One line per call and its time, and every thrown value mapped to the error that may leave the server. */
const observed = t.middleware(async ({ ctx, path, type, next }) => {
  if (ctx.reply?.refusal) throw ctx.reply.refusal;
  const trace: Trace = { actorId: null };
  const startedAt = performance.now();
  const span = ctx.tracing?.startProcedure({ name: path, type });
  const run = () => next({ ctx: { trace } });
  const result = await (span ? span.run(run) : run());
  const line = {
    actorId: trace.actorId,
    procedure: path,
    type,
    milliseconds: Math.round((performance.now() - startedAt) * 10) / 10,
  };
  if (result.ok) {
    span?.end("OK", { isFault: false });
    ctx.procedureTimes.record(line, "OK");
    ctx.logger.info("call", { ...line, code: "OK" });
    return result;
  }
  const error = toTrpcError(result.error);
  ctx.procedureTimes.record(line, error.code);
  // A fault of the server, or its database's: the log says where.
  const isFault = error.code === "INTERNAL_SERVER_ERROR" || error.code === "SERVICE_UNAVAILABLE";
  span?.end(error.code, { isFault });
  if (isFault) ctx.logger.error("call", { ...line, code: error.code, ...describeError(error) });
  else ctx.logger.info("call", { ...line, code: error.code });
  throw error;
});

/** The start of every procedure. */
export const observedProcedure = t.procedure.use(observed);

/** Refuses an input that was not deserialised: here, since a procedure without a schema never asks for its input. */
export const readableInput = t.middleware(async ({ getRawInput, next }) => {
  // What is no JSON at all is refused by whoever reads it; a call without an input may have an empty body.
  const refusal = refusalOf(await getRawInput().catch(() => undefined));
  if (refusal) throw refusal;
  return next();
});
