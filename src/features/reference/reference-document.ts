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
  "x-kind": "query" | "mutation" | "subscription";
  "x-access": string;
  "x-limit"?: string;
  parameters?: (Media & { name: string })[];
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
  /** `projects.list`, also its anchor. */
  path: string;
  kind: Operation["x-kind"];
  access: string;
  limit: string | null;
  description: string | null;
  /** Null for none. */
  input: Schema | null;
  output: Schema;
  /** By HTTP status. */
  refusals: { status: string; text: string }[];
}

export interface Reference {
  introduction: string[];
  routers: { name: string; procedures: ReferenceProcedure[] }[];
  types: { name: string; schema: Schema }[];
}

/** What the page shows, in the order of the document. */
export function readReference({ info, paths, components }: OpenApiDocument): Reference {
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  const names = [...new Set(operations.flatMap(({ tags }) => tags))];
  return {
    introduction: info.description.split("\n\n"),
    routers: names.map((name) => ({
      name,
      procedures: operations.filter(({ tags }) => tags.includes(name)).map(procedureOf),
    })),
    types: Object.entries(components.schemas).map(([name, schema]) => ({ name, schema })),
  };
}

function procedureOf(operation: Operation): ReferenceProcedure {
  const { responses, parameters = [], requestBody } = operation;
  const { 200: answer, ...refused } = responses;
  const sent = parameters.find(({ name }) => name === "input") ?? requestBody;
  return {
    path: operation.operationId,
    kind: operation["x-kind"],
    access: operation["x-access"],
    limit: operation["x-limit"] ?? null,
    description: operation.description ?? null,
    input: schemaOf(sent)?.properties?.json ?? null,
    output: insideOf(schemaOf(answer)),
    refusals: Object.entries(refused).map(([status, { description }]) => ({ status, text: description })),
  };
}

/** Unwraps the envelopes of tRPC and superjson. */
function insideOf(schema: Schema | undefined): Schema {
  const inner = schema?.properties?.result?.properties?.data ?? schema;
  return inner?.properties?.json ?? {};
}

function schemaOf(media: Media | undefined): Schema | undefined {
  return Object.values(media?.content ?? {})[0]?.schema;
}
