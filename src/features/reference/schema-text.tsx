import type { Schema } from "./reference-document";

/** Part of a type: text, or the name of a type to link to. */
type Part = string | { name: string };

/** A type in TypeScript notation, with limits and notes as comments. One element each, since the page holds hundreds. */
export function SchemaText({ schema }: { schema: Schema }) {
  return (
    <pre className="wrap-anywhere whitespace-pre-wrap rounded-control border border-line bg-surface px-3 py-2 font-mono text-dense">
      {partsOf(schema, "").map((part) =>
        typeof part === "string" ? (
          part
        ) : (
          // biome-ignore lint/correctness/useJsxKeyInIterable: rendered once, at build
          <a href={`#${part.name}`} className="text-brand-text underline underline-offset-2">
            {part.name}
          </a>
        ),
      )}
    </pre>
  );
}

function partsOf(schema: Schema, indent: string): Part[] {
  const { $ref, anyOf, items, properties, additionalProperties } = schema;
  if ($ref) return [{ name: $ref.slice($ref.lastIndexOf("/") + 1) }];
  if (schema.enum) return [schema.enum.map((word) => JSON.stringify(word)).join(" | ")];
  if (schema.const !== undefined) return [JSON.stringify(schema.const)];
  if (anyOf) return anyOf.flatMap((one, at) => [...(at > 0 ? [" | "] : []), ...partsOf(one, indent)]);
  const types = [schema.type ?? "anything"].flat();
  const orNull = types.length > 1 && types.includes("null") ? [" | null"] : [];
  if (properties) return [...fieldsOf(schema, indent), ...orNull];
  if (typeof additionalProperties === "object") {
    return ["Record<string, ", ...partsOf(additionalProperties, indent), ">", ...orNull];
  }
  if (items) {
    const isUnion = (items.anyOf ?? items.enum ?? []).length > 1;
    return [isUnion ? "(" : "", ...partsOf(items, indent), isUnion ? ")[]" : "[]", ...orNull];
  }
  return [[FORMATS[schema.format ?? ""] ?? types[0], ...types.slice(1)].join(" | ")];
}

const FORMATS: Record<string, string> = { "date-time": "instant", date: "day", uuid: "id", uri: "URL" };

function fieldsOf({ properties = {}, required = [] }: Schema, indent: string): Part[] {
  const inside = `${indent}  `;
  const fields = Object.entries(properties).flatMap(([key, schema]): Part[] => {
    const type = partsOf(schema, inside);
    const note = notesOf(schema).join("; ");
    const isLong = type.some((part) => typeof part === "string" && part.includes("\n"));
    return [
      note && isLong ? `${inside}// ${note}\n` : "",
      `${inside}${key}${required.includes(key) ? "" : "?"}: `,
      ...type,
      note && !isLong ? `  // ${note}\n` : "\n",
    ];
  });
  return fields.length === 0 ? ["{}"] : ["{\n", ...fields, `${indent}}`];
}

function notesOf(schema: Schema): string[] {
  const inner = schema.anyOf?.find(({ type }) => type !== "null") ?? schema;
  const { minLength, maxLength, minimum, maximum, maxItems } = inner;
  const range = (max: number | undefined, min: number | undefined, unit: string) => {
    if (max === undefined || max >= Number.MAX_SAFE_INTEGER) return [];
    return [`${min === undefined ? "at most" : `${min} to`} ${max.toLocaleString("en-GB")}${unit}`];
  };
  return [
    ...(schema.description ? [schema.description] : []),
    ...range(maxLength, minLength, " characters"),
    ...range(maximum, minimum, ""),
    ...range(maxItems, undefined, " of them"),
  ];
}
