import * as z from "zod/mini";
import { MESSAGES } from "../../server/contract/messages";
import { keywordsOf } from "../../server/contract/text";
import type { ProcedureMeta } from "../../server/core/trpc";
import { appRouter } from "../../server/router";
import type { Refusal } from "./read-errors";
import type { TypedApi, TypedProcedure } from "./shape";

/** JSON Schema, draft 2020-12. */
export type JsonSchema = { [keyword: string]: unknown };

/** An error with its code and sentence; null for a sentence that is made at run time. */
export interface DescribedError {
  code: string;
  sentence: string | null;
}

/** A procedure, from its types and the running router. */
export interface Procedure extends Omit<TypedProcedure, "refusals"> {
  access: ProcedureMeta["access"];
  limit: ProcedureMeta["limit"] | null;
  /** Null for none. */
  inputSchema: JsonSchema | null;
  isInputOptional: boolean;
  /** The errors of its own, besides those of its base procedure. */
  refusals: DescribedError[];
}

/** In the order of the router. */
export function readProcedures({ procedures }: TypedApi): Procedure[] {
  const running = new Map(Object.entries(appRouter._def.procedures));
  return procedures.map((typed) => {
    const procedure = running.get(typed.path);
    const definition = procedure && "_def" in procedure ? procedure._def : null;
    if (!isDefinition(definition)) throw new Error(`${typed.path} says in no meta who may call it.`);
    const { access, limit = null, refuses = [] } = definition.meta;
    const inputSchema = inputSchemaOf(definition.inputs);
    const isInputOptional = typed.input.kind === "union" && typed.input.of.some(isUndefined);
    return {
      ...typed,
      access,
      limit,
      inputSchema,
      isInputOptional,
      refusals: [...refuses, ...describeErrors(typed, access)],
    };
  });
}

function isUndefined(shape: TypedProcedure["input"]): boolean {
  return shape.kind === "primitive" && shape.name === "undefined";
}

interface Definition {
  meta: ProcedureMeta;
  inputs: unknown[];
}

function isDefinition(definition: unknown): definition is Definition {
  const hasParts =
    typeof definition === "object" && definition !== null && "meta" in definition && "inputs" in definition;
  return hasParts && typeof definition.meta === "object" && definition.meta !== null && "access" in definition.meta;
}

function inputSchemaOf([schema, ...more]: unknown[]): JsonSchema | null {
  if (schema === undefined) return null;
  if (more.length > 0 || !isSchema(schema)) throw new Error("Write an input as one zod schema.");
  return toJsonSchema(schema);
}

/** As the caller writes it: before trimming, lower-casing and the like. */
export function toJsonSchema(schema: z.core.$ZodType): JsonSchema {
  const { $schema: _, ...written } = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
    override({ zodSchema, jsonSchema }) {
      const { def } = zodSchema._zod;
      Object.assign(jsonSchema, keywordsOf(zodSchema));
      if (def.type === "date") Object.assign(jsonSchema, INSTANT);
      // What a value is turned into first says nothing; what it then has to be does.
      if (!isPipe(def) || def.in._zod.def.type !== "transform") return;
      Object.assign(jsonSchema, toJsonSchema(def.out));
    },
  });
  return written;
}

/** How superjson carries a Date. */
const INSTANT: JsonSchema = { type: "string", format: "date-time" };

function isSchema(value: unknown): value is z.core.$ZodType {
  return typeof value === "object" && value !== null && "_zod" in value;
}

function isPipe(def: z.core.$ZodTypeDef): def is z.core.$ZodPipeDef {
  return def.type === "pipe";
}

/** Thrown by base procedures: listed once, at the head of the reference. */
const SHARED_SENTENCES = new Set([
  "auth.signedOut",
  "auth.pending",
  "auth.refused",
  "apiKeys.readsOnly",
  "apiKeys.notAllowed",
  "general.readTimeout",
]);

function describeErrors({ refusals }: TypedProcedure, access: ProcedureMeta["access"]): DescribedError[] {
  const isShared = ({ sentence }: Refusal) =>
    access !== "anyone" &&
    sentence !== null &&
    (SHARED_SENTENCES.has(sentence) || (sentence === "general.notAllowed" && access !== "active"));
  return refusals
    .filter((refusal) => !isShared(refusal))
    .map(({ code, sentence }) => ({ code, sentence: sentence === null ? null : sentenceAt(sentence) }));
}

/** The sentence at a path of MESSAGES; null for one that takes arguments. */
function sentenceAt(path: string): string | null {
  let found: unknown = MESSAGES;
  for (const key of path.split(".")) {
    found =
      typeof found === "object" && found !== null ? Object.entries(found).find(([name]) => name === key)?.[1] : null;
  }
  return typeof found === "string" ? found : null;
}
