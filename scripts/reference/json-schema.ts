import type { JsonSchema } from "./read-procedures";
import type { Property, Shape } from "./shape";

/** What an answer looks like on the wire, below `json`. */
export function schemaOf(shape: Shape): JsonSchema {
  switch (shape.kind) {
    case "primitive":
      return primitiveSchema(shape.name);
    case "literal":
      return { const: shape.value };
    case "date":
      throw new Error(
        "An answer holds a Date. Views are JSON: make it an ISO-8601 string (db/expressions.ts, isoInstant).",
      );
    case "array":
      return { type: "array", items: schemaOf(shape.of) };
    case "record":
      return { type: "object", additionalProperties: schemaOf(shape.of) };
    case "named":
      return { $ref: `#/components/schemas/${shape.name}` };
    case "object":
      return objectSchema(shape.properties);
    case "union":
      return unionSchema(shape.of);
  }
}

function primitiveSchema(name: Extract<Shape, { kind: "primitive" }>["name"]): JsonSchema {
  if (name === "unknown" || name === "undefined") return {};
  return name === "never" ? { not: {} } : { type: name };
}

function objectSchema(properties: Property[]): JsonSchema {
  const required = properties.filter(({ isOptional }) => !isOptional).map(({ name }) => name);
  return {
    type: "object",
    properties: Object.fromEntries(
      properties.map(({ name, docs, shape }) => [name, described(withFormat(name, schemaOf(shape)), docs)]),
    ),
    ...(required.length > 0 && { required }),
  };
}

/**
 * Views name alike what is alike; the tests hold the formats against what the server sends. What is counted is whole, all but
 * the score of layout shifts.
 */
const FORMATS: [name: RegExp, format: string][] = [
  [/^(id|createdBy)$|Ids?$|^(assignedTo|managers|mayHaveMade)$/, "uuid"],
  [/At$|^(at|timestamp|date)$/, "date-time"],
  [/^(due|start)Date$/, "date"],
  [/^email$/, "email"],
  [/^(html_url|htmlUrl|liveLink)$/, "uri"],
  [/^(avatar_url|profileImgLink)$/, "uri-reference"],
];
const NOT_WHOLE = new Set(["p75"]);

function withFormat(name: string, schema: JsonSchema): JsonSchema {
  const types = [schema.type].flat();
  if (types.includes("number") && !NOT_WHOLE.has(name))
    return { ...schema, type: Array.isArray(schema.type) ? ["integer", "null"] : "integer" };
  if (schema.type === "array" && isSchema(schema.items)) return { ...schema, items: withFormat(name, schema.items) };
  const [, format] = FORMATS.find(([pattern]) => pattern.test(name)) ?? [];
  return format && types.includes("string") && !schema.enum ? { ...schema, format } : schema;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null;
}

/** Several literals are an enum; one type or null is a type of two names. */
function unionSchema(of: Shape[]): JsonSchema {
  const texts = of.flatMap((shape) => (shape.kind === "literal" ? [shape.value] : []));
  const isNullable = of.some((shape) => shape.kind === "primitive" && shape.name === "null");
  const others = of.filter(
    (shape) => shape.kind !== "literal" && !(shape.kind === "primitive" && shape.name === "null"),
  );
  const type = typeof texts[0];
  if (others.length === 0 && texts.every((word) => typeof word === type))
    return { type: isNullable ? [type, "null"] : type, enum: isNullable ? [...texts, null] : texts };
  const [only] = others;
  const schema = only && texts.length === 0 && others.length === 1 ? schemaOf(only) : null;
  if (schema && isNullable && typeof schema.type === "string") return { ...schema, type: [schema.type, "null"] };
  return { anyOf: of.map(schemaOf) };
}

/** A reference may have a description beside it in this draft. */
export function described(schema: JsonSchema, docs: string): JsonSchema {
  const texts = docs.trim().replace(/\s*\n\s*/g, " ");
  return texts === "" ? schema : { ...schema, description: texts };
}
