import { subscribe, unsubscribe } from "node:diagnostics_channel";
import {
  type Context,
  context,
  DiagLogLevel,
  diag,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, NodeTracerProvider, type SpanExporter } from "@opentelemetry/sdk-trace-node";
import type { Logger } from "./logger";

/*
 * Traces by OpenTelemetry, from request or job to procedure to statement. Loaded only where a setting names where they go. They hold no
 * values: neither inputs nor parameters, addresses, headers or ids of people.
 */

/** Something under way. */
interface OpenSpan {
  /** Runs its work: what begins there is below it. */
  run<Result>(work: () => Result): Result;
  /** `outcome` is a status or code; `isFault`: ours, and not a refusal. */
  end(outcome: string, { isFault }: { isFault: boolean }): void;
}

export interface Tracing {
  /** Continues the trace of a `traceparent` that the request brings. `route` is one of few. */
  startRequest(request: {
    method: string;
    route: string;
    requestId: string;
    headers: Pick<Headers, "get" | "keys">;
  }): OpenSpan;
  startProcedure(call: { name: string; type: string }): OpenSpan;
  /** One job of background work, a trace of its own. */
  startJob(kind: string): OpenSpan;
  /** Null where nothing above it is traced, such as in the search for jobs. To be called with the error, if any, at its end. */
  startStatement(strings: readonly string[]): ((error?: unknown) => void) | null;
  /** Sends what is left, within two seconds. */
  close(): Promise<void>;
}

const CLOSE_MS = 2_000;
const MAX_STATEMENT_LENGTH = 2_000;
/** An exporter that cannot reach its receiver says so for each batch. */
const COMPLAIN_EVERY_MS = 60_000;
/** The only header of an incoming request that matters here, and its companion. */
const TRACE_HEADERS = new Set(["traceparent", "tracestate"]);

/** Begins to trace, by the settings `OTEL_*` of the environment, which the library reads itself. */
export async function startTracing({
  version,
  protocol,
  logger,
}: {
  version: string;
  protocol: "http/json" | "http/protobuf";
  logger: Logger;
}): Promise<Tracing> {
  diag.setLogger(complainingTo(logger), { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true });
  const resource = resourceFromAttributes({ "service.name": "sangam", "service.version": version });
  const provider = new NodeTracerProvider({
    resource: resource.merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(await createExporter(protocol))],
  });
  provider.register();
  const tracer = provider.getTracer("sangam", version);
  subscribe("undici:request:create", passOn);
  return {
    startRequest: ({ method, route, requestId, headers }) => {
      const parent = propagation.extract(ROOT_CONTEXT, headers, {
        keys: (from) => [...from.keys()],
        get: (from, key) => (TRACE_HEADERS.has(key) ? (from.get(key) ?? undefined) : undefined),
      });
      const attributes = { "http.request.method": method, "http.route": route, "sangam.request_id": requestId };
      const span = tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, parent);
      return openSpan(span, { parent, outcome: "http.response.status_code" });
    },
    startProcedure({ name, type }) {
      const attributes = { "rpc.system": "trpc", "rpc.method": name, "sangam.procedure_type": type };
      const span = tracer.startSpan(name, { attributes });
      return openSpan(span, { parent: context.active(), outcome: "sangam.code" });
    },
    startJob(kind) {
      const span = tracer.startSpan(`job ${kind}`, { root: true });
      return openSpan(span, { parent: ROOT_CONTEXT, outcome: "sangam.outcome" });
    },
    startStatement(strings) {
      if (!trace.getActiveSpan()?.isRecording()) return null;
      const text = strings.reduce((before, part, at) => `${before}$${at}${part}`);
      const operation = /^\s*([a-z]+)/i.exec(text)?.[1]?.toUpperCase() ?? "SQL";
      const span = tracer.startSpan(operation, {
        kind: SpanKind.CLIENT,
        attributes: { "db.system.name": "postgresql", "db.query.text": text.slice(0, MAX_STATEMENT_LENGTH) },
      });
      return (error) => {
        if (error !== undefined) {
          // Not its message, which may repeat parameters.
          const code = error instanceof Error ? String(Reflect.get(error, "code") ?? error.name) : "unknown";
          span.setAttribute("error.type", code).setStatus({ code: SpanStatusCode.ERROR });
        }
        span.end();
      };
    },
    async close() {
      unsubscribe("undici:request:create", passOn);
      const late = new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref());
      await Promise.race([provider.shutdown().catch(() => {}), late]);
      for (const registered of [trace, context, propagation, diag]) registered.disable();
    },
  };
}

/** In JSON, as long as nothing else is asked for: every receiver reads it, and so does a person. */
async function createExporter(protocol: "http/json" | "http/protobuf"): Promise<SpanExporter> {
  if (protocol === "http/json")
    return new (await import("@opentelemetry/exporter-trace-otlp-http")).OTLPTraceExporter();
  return new (await import("@opentelemetry/exporter-trace-otlp-proto")).OTLPTraceExporter();
}

function openSpan(span: Span, { parent, outcome: name }: { parent: Context; outcome: string }): OpenSpan {
  return {
    run: (work) => context.with(trace.setSpan(parent, span), work),
    end(outcome, { isFault }) {
      span.setAttribute(name, /^\d+$/.test(outcome) ? Number(outcome) : outcome);
      if (isFault) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

/** Gives a request that the server makes meanwhile, such as one to GitHub, the trace that it belongs to. */
function passOn(message: unknown): void {
  const request: unknown = typeof message === "object" && message !== null && Reflect.get(message, "request");
  const add: unknown = typeof request === "object" && request !== null && Reflect.get(request, "addHeader");
  if (typeof add !== "function" || !trace.getActiveSpan()) return;
  propagation.inject(context.active(), request, {
    set: (_, name, value) => void (name === "traceparent" && Reflect.apply(add, request, [name, value])),
  });
}

function complainingTo(logger: Logger) {
  let saidAtMs = Number.NEGATIVE_INFINITY;
  const ignore = () => {};
  return {
    error() {
      const nowMs = performance.now();
      if (nowMs - saidAtMs < COMPLAIN_EVERY_MS) return;
      saidAtMs = nowMs;
      logger.warn("traces could not be sent", {
        remedy: "Check OTEL_EXPORTER_OTLP_ENDPOINT and what listens there. Nothing else depends on it.",
      });
    },
    warn: ignore,
    info: ignore,
    debug: ignore,
    verbose: ignore,
  };
}
