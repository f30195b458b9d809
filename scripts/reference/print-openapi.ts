import { ERROR_REASONS } from "../../server/contract/error-reasons";
import { HTTP_ENDPOINTS, type HttpEndpoint } from "./http-endpoints";
import { described, schemaOf } from "./json-schema";
import type { DescribedError, JsonSchema, Procedure } from "./read-procedures";
import {
  ACCESS_LABELS,
  describeRefusals,
  describeRouter,
  HTTP_TAG,
  limitOf,
  oneLine,
  sharedErrorsOf,
  statusOf,
  summaryOf,
  WIRE_FORMAT,
} from "./reference-text";
import { type NamedShape, routersOf } from "./shape";

/** An OpenAPI 3.1 document of the whole API, as text. */
export function printOpenApi({ procedures, named }: { procedures: Procedure[]; named: NamedShape[] }): string {
  const schemas = Object.fromEntries(named.map(({ name, docs, shape }) => [name, described(schemaOf(shape), docs)]));
  const paths = Object.fromEntries([
    ...procedures.map((procedure) => [`/api/trpc/${procedure.path}`, operationsOf(procedure)]),
    ...HTTP_ENDPOINTS.map((endpoint) => [endpoint.path, { [endpoint.method]: httpOperation(endpoint) }]),
  ]);
  const document = {
    openapi: "3.1.0",
    info: {
      title: "Sangam",
      version: "1",
      description: WIRE_FORMAT.join("\n\n"),
      contact: { name: "Whoever runs this Sangam" },
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    tags: [...routersOf(procedures), HTTP_TAG].map((name) => ({ name, description: describeRouter(name) })),
    security: [{ apiKey: [] }],
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer", description: "An API key of Settings, `sgm_…`." },
        session: {
          type: "apiKey",
          in: "cookie",
          name: "sangam.session_token",
          description: "The cookie of a signed-in browser; over https its name begins with `__Secure-`.",
        },
      },
      schemas: { ...schemas, Error: ERROR, StreamError: STREAM_ERROR, Refusal: REFUSAL },
    },
  };
  return `${JSON.stringify(document, null, 1)}\n`;
}

/** By HTTP method: a query with an input also as a mutation is sent, where generated clients type it. */
function operationsOf(procedure: Procedure): JsonSchema {
  const operation = operationOf(procedure);
  if (procedure.kind === "Mutation") return { post: operation };
  if (procedure.kind === "Subscription" || !procedure.inputSchema) return { get: operation };
  const { path, summary } = { path: procedure.path, summary: summaryOf(procedure.path) };
  const posted = operationOf({ ...procedure, kind: "Mutation" });
  const post = { ...posted, operationId: `${path}.post`, summary: `${summary}, by POST`, "x-kind": "query" };
  return { get: operation, post: { ...post, "x-same-as": path } };
}

function operationOf(procedure: Procedure): JsonSchema {
  const { path, kind, docs, access } = procedure;
  const limit = limitOf(procedure);
  return {
    operationId: path,
    summary: summaryOf(path),
    tags: [path.slice(0, path.indexOf("."))],
    ...(docs !== "" && { description: oneLine(docs) }),
    "x-kind": kind.toLowerCase(),
    "x-access": ACCESS_LABELS[access],
    ...(limit && { "x-limit": limit }),
    ...(access === "anyone" && { security: [{}, { apiKey: [] }] }),
    ...(access === "browsers" && { security: [{ session: [] }] }),
    ...inputOf(procedure),
    ...responsesOf(procedure),
  };
}

/** What is no procedure takes and answers plain bodies, without envelopes. */
function httpOperation(endpoint: HttpEndpoint): JsonSchema {
  const { name, kind, summary, docs, access, limit, security, parameters, body, answer, refusals } = endpoint;
  const { bodyType = "application/json" } = endpoint;
  return {
    operationId: name,
    summary,
    tags: [HTTP_TAG],
    description: docs,
    "x-kind": kind,
    "x-access": access,
    ...(limit && { "x-limit": limit }),
    security,
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: true, content: { [bodyType]: { schema: body } } } }),
    responses: {
      "200": { description: "The answer.", content: { [answer.type]: { schema: answer.schema } } },
      ...responsesTo(refusals),
    },
  };
}

/** What a caller sends: superjson's envelope around the input. */
function inputOf({ kind, inputSchema, isInputOptional, isTracked }: Procedure): JsonSchema {
  const resuming = isTracked
    ? [{ name: "Last-Event-ID", in: "header", description: "Go on after this event.", schema: { type: "string" } }]
    : [];
  if (!inputSchema) return resuming.length > 0 ? { parameters: resuming } : {};
  const content = {
    "application/json": { schema: { type: "object", properties: { json: inputSchema }, required: ["json"] } },
  };
  if (kind === "Mutation") return { requestBody: { required: !isInputOptional, content } };
  return { parameters: [{ name: "input", in: "query", required: !isInputOptional, content }, ...resuming] };
}

/** A stream has begun by the time that its procedure refuses: what it then says is in its events. */
function responsesOf(procedure: Procedure): JsonSchema {
  const { kind, output, isTracked } = procedure;
  const schema = schemaOf(output);
  const refusals = responsesTo([...sharedErrorsOf(procedure), ...procedure.refusals]);
  if (kind !== "Subscription") {
    const data = { type: "object", properties: { data: envelope(schema) }, required: ["data"] };
    const result = { type: "object", properties: { result: data }, required: ["result"] };
    const answer = { description: "The answer.", content: { "application/json": { schema: result } } };
    return { responses: { "200": answer, ...refusals } };
  }
  const isEarly = (status: string) => status === "429" || status === "431";
  const [early, late] = [true, false].map((when) =>
    Object.fromEntries(Object.entries(refusals).filter(([status]) => isEarly(status) === when)),
  );
  const events = isTracked ? "Events, each with an `id` to resume after." : "Events.";
  const description = `${events} Their \`data\` is the first of these objects, that of \`event: serialized-error\` the second.`;
  const event = { anyOf: [envelope(schema), { $ref: "#/components/schemas/StreamError" }] };
  const stream = { description, content: { "text/event-stream": { schema: event } } };
  return { responses: { "200": stream, ...early }, "x-stream-refusals": late };
}

function envelope(json: JsonSchema): JsonSchema {
  return { type: "object", properties: { json }, required: ["json"] };
}

/** By HTTP status; each with its sentences. */
function responsesTo(errors: DescribedError[]): JsonSchema {
  const byStatus = new Map<number, DescribedError[]>();
  for (const refusal of errors) {
    const status = statusOf(refusal.code);
    byStatus.set(status, [...(byStatus.get(status) ?? []), refusal]);
  }
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, refusals]) => [
        String(status),
        {
          description: describeRefusals(refusals),
          ...(status === 429 && {
            headers: { "Retry-After": { description: "Seconds.", schema: { type: "integer" } } },
          }),
          content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
        },
      ]),
  );
}

const REFUSAL: JsonSchema = {
  type: "object",
  description: "What every refusal says.",
  required: ["message", "code", "data"],
  properties: {
    message: { type: "string", description: "A sentence for people." },
    code: { type: "integer", description: "JSON-RPC's number of the code." },
    data: {
      type: "object",
      required: ["code", "httpStatus", "kind"],
      properties: {
        code: { type: "string", description: "Such as NOT_FOUND." },
        httpStatus: { type: "integer" },
        path: { type: "string", description: "The procedure." },
        kind: { type: "string", enum: ["domain", "validation", "internal"] },
        reason: { type: "string", description: "Where programs branch.", enum: Object.keys(ERROR_REASONS) },
        requestId: { type: "string", description: "With a fault of the server: its log has more under it." },
        retryAfterSeconds: { type: "integer", description: "With 429 and some 503: when to try again." },
        fieldErrors: {
          type: "object",
          description: "Sentences by field, such as `patch.dueDate`.",
          additionalProperties: { type: "array", items: { type: "string" } },
        },
        current: { type: "object", description: "With a conflict of versions: the row as it is now." },
      },
    },
  },
};

const STREAM_ERROR: JsonSchema = {
  ...envelope({ $ref: "#/components/schemas/Refusal" }),
  description: "The `data` of the one `event: serialized-error` of a refused stream.",
};

const ERROR: JsonSchema = {
  type: "object",
  description: "The body of every refusal.",
  required: ["error"],
  properties: { error: envelope({ $ref: "#/components/schemas/Refusal" }) },
};
