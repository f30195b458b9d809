/** JSON Schema as far as the generated document uses it. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: (string | number | boolean | null)[];
  const?: string | number | boolean;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
}

interface Media {
  content?: Record<string, { schema: Schema }>;
}

interface Operation {
  operationId: string;
  tags: string[];
  description?: string;
  /** The last three are no procedures: plain HTTP without envelopes. */
  "x-kind": "query" | "mutation" | "subscription" | "download" | "report" | "webhook";
  "x-access": string;
  "x-limit"?: string;
  /** A second way to send a procedure that stands there already. */
  "x-same-as"?: string;
  /** By the status that they have elsewhere. */
  "x-stream-refusals"?: Record<string, { description: string }>;
  parameters?: (Media & { name: string; in: string; schema?: Schema })[];
  requestBody?: Media;
  responses: Record<string, Media & { description: string }>;
}

/** The shape of docs/openapi.json. */
export interface OpenApiDocument {
  info: { description: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/** A procedure as the page shows it. */
export interface ReferenceProcedure {
  /** `projects.list`, or the address of what is no procedure; also its anchor. */
  path: string;
  /** Of what is no procedure, such as GET. */
  method: string | null;
  /** In the list of contents. */
  label: string;
  kind: Operation["x-kind"];
  access: string;
  limit: string | null;
  description: string | null;
  /** Null for none. */
  input: Schema | null;
  output: Schema;
  /** All statuses that it can refuse with. */
  statuses: string[];
  /** Without the sentences that are common. */
  refusals: Refusal[];
}

/** By HTTP status. */
interface Refusal {
  status: string;
  /** Such as NOT_FOUND; each refusal carries one of the sentences. */
  code: string;
  sentences: string[];
}

export interface Reference {
  introduction: string[];
  /** Sentences that many procedures share. */
  commonRefusals: Refusal[];
  routers: { name: string; procedures: ReferenceProcedure[] }[];
  types: { name: string; schema: Schema }[];
}

/** Where the procedures are; all else is plain HTTP. */
const PROCEDURES = "/api/trpc/";

/** A sentence that at least so many procedures share is listed once. */
const COMMON_FROM = 10;

/** What the page shows, in the order of the document. */
export function readReference({ info, paths, components }: OpenApiDocument): Reference {
  const operations = Object.entries(paths).flatMap(([address, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation["x-same-as"] === undefined)
      .map(([method, operation]) => ({ ...operation, method, address })),
  );
  const names = [...new Set(operations.flatMap(({ tags }) => tags))];
  const all = operations.flatMap((operation) => procedureOf(operation).refusals);
  const countOf = (status: string, sentence: string) =>
    all.filter((other) => other.status === status && other.sentences.includes(sentence)).length;
  const pick = (refusals: Refusal[], isWanted: (count: number) => boolean): Refusal[] =>
    refusals
      .map((one) => ({ ...one, sentences: one.sentences.filter((said) => isWanted(countOf(one.status, said))) }))
      .filter(({ sentences }) => sentences.length > 0);
  const procedures = operations.map((operation) => {
    const procedure = procedureOf(operation);
    return { ...procedure, refusals: pick(procedure.refusals, (count) => count < COMMON_FROM) };
  });
  return {
    introduction: info.description.split("\n\n"),
    commonRefusals: merge(pick(all, (count) => count >= COMMON_FROM)),
    routers: names.map((name) => ({
      name,
      procedures: procedures.filter((_, at) => operations[at]?.tags.includes(name)),
    })),
    types: Object.entries(components.schemas).map(([name, schema]) => ({ name, schema })),
  };
}

/** One for each status, in their order, with every sentence once. */
function merge(refusals: Refusal[]): Refusal[] {
  return [...new Set(refusals.map(({ status }) => status))].sort().map((status) => {
    const same = refusals.filter((one) => one.status === status);
    const sentences = [...new Set(same.flatMap((one) => one.sentences))];
    return { status, code: same[0]?.code ?? "", sentences };
  });
}

function procedureOf(operation: Operation & { method: string; address: string }): ReferenceProcedure {
  const { method, address, responses, parameters = [], requestBody } = operation;
  const path = address.replace(PROCEDURES, "");
  const isProcedure = path !== address;
  const asked = parameters.filter(({ in: place }) => place === "query");
  const { 200: answer, ...early } = responses;
  const refused = { ...early, ...operation["x-stream-refusals"] };
  return {
    path,
    method: isProcedure ? null : method.toUpperCase(),
    label: operation.operationId.slice(operation.operationId.indexOf(".") + 1),
    kind: operation["x-kind"],
    access: operation["x-access"],
    limit: operation["x-limit"] ?? null,
    description: operation.description ?? null,
    input: isProcedure ? (schemaOf(asked[0] ?? requestBody)?.properties?.json ?? null) : plainInput(asked, requestBody),
    output: isProcedure ? insideOf(schemaOf(answer)) : (schemaOf(answer) ?? {}),
    statuses: Object.keys(refused).sort(),
    refusals: Object.entries(refused).map(([status, { description }]) => {
      const [, code = "", text = ""] = /^([\w ()]+)(?:: (.*))?$/.exec(description) ?? [];
      return { status, code, sentences: text.split(/(?<=[.!?]) (?=[A-Z])/).filter(Boolean) };
    }),
  };
}

/** Of what is no procedure: its body, or what it reads from the address. */
function plainInput(asked: NonNullable<Operation["parameters"]>, body: Media | undefined): Schema | null {
  if (body) return schemaOf(body) ?? null;
  return { type: "object", properties: Object.fromEntries(asked.map(({ name, schema = {} }) => [name, schema])) };
}

/** Unwraps the envelopes of tRPC and superjson. */
function insideOf(schema: Schema | undefined): Schema {
  const inner = schema?.properties?.result?.properties?.data ?? schema?.anyOf?.[0] ?? schema;
  return inner?.properties?.json ?? {};
}

function schemaOf(media: Media | undefined): Schema | undefined {
  return Object.values(media?.content ?? {})[0]?.schema;
}
