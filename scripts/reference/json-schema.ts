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
    properties: Object.fromEntries(properties.map(({ name, docs, shape }) => [name, described(schemaOf(shape), docs)])),
    ...(required.length > 0 && { required }),
  };
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
