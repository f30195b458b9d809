import { Fragment } from "react";
import type { Schema } from "./reference-document";

type SchemaProps = { schema: Schema };

/** The fields of an object, nested ones by their path; one line for any other type. */
export function SchemaFields({ schema }: SchemaProps) {
  const variants = schema.anyOf?.filter(({ properties }) => properties) ?? [];
  if (variants.length > 1) {
    return variants.map((variant, at) => (
      <Fragment key={JSON.stringify(variant)}>
        {at > 0 && <p className="my-2 text-ink2">or</p>}
        <SchemaFields schema={variant} />
      </Fragment>
    ));
  }
  const rows = rowsOf(schema, "");
  if (rows.length === 0) {
    return (
      <p className="font-mono text-dense">
        <TypeText schema={schema} />
      </p>
    );
  }
  return (
    <ul className="divide-y divide-line rounded-control border border-line text-dense">
      {rows.map((row) => (
        <li
          key={row.name}
          className="wrap-anywhere grid gap-x-4 gap-y-0.5 px-3 py-2 sm:grid-cols-[minmax(0,4fr)_minmax(0,4fr)_minmax(0,6fr)]"
        >
          <span className="font-mono">
            {row.name}
            {!row.isRequired && <span className="text-ink2">?</span>}
          </span>
          <span className="font-mono text-ink2">
            <TypeText schema={row.schema} />
          </span>
          <span className="text-ink2">{notesOf(row.schema).join("; ")}</span>
        </li>
      ))}
    </ul>
  );
}

/** A short description of a type, with links to named types. */
function TypeText({ schema }: SchemaProps) {
  const { $ref, anyOf, items, format } = schema;
  if ($ref) {
    const name = $ref.slice($ref.lastIndexOf("/") + 1);
    return (
      <a href={`#${name}`} className="text-brand-text underline underline-offset-2">
        {name}
      </a>
    );
  }
  if (schema.enum) return schema.enum.map((word) => JSON.stringify(word)).join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (anyOf) {
    return anyOf.map((one, at) => (
      <Fragment key={JSON.stringify(one)}>
        {at > 0 && " | "}
        <TypeText schema={one} />
      </Fragment>
    ));
  }
  if (items) {
    return (
      <>
        <TypeText schema={items} />
        []
      </>
    );
  }
  const types = [schema.type ?? "anything"].flat();
  const word = FORMATS[format ?? ""] ?? types[0];
  return [word, ...types.slice(1)].join(" | ");
}

const FORMATS: Record<string, string> = { "date-time": "instant", date: "day", uuid: "id", uri: "URL" };

interface Row {
  name: string;
  isRequired: boolean;
  schema: Schema;
}

function rowsOf({ properties = {}, required = [] }: Schema, prefix: string): Row[] {
  return Object.entries(properties).flatMap(([key, schema]) => {
    const name = `${prefix}${key}`;
    const inner = [schema, ...(schema.anyOf ?? [])];
    const nested = inner.flatMap((one) => [...rowsOf(one, `${name}.`), ...rowsOf(one.items ?? {}, `${name}[].`)]);
    return [{ name, isRequired: required.includes(key), schema }, ...nested];
  });
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
