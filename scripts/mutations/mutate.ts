import type { Declaration } from "./declarations";

export type Mutation = "rename" | "retype" | "drop";

/** The name after a rename: no other thing has it. */
export const renamed = (name: string): string => `${name}Renamed`;

/** What may be done to a declaration. */
export function mutationsOf({ kind }: Declaration): readonly Mutation[] {
  return kind === "procedure" || kind === "enum value" ? ["rename", "drop"] : ["rename", "retype", "drop"];
}

/** The text of the declaration's file after the mutation. */
export function mutate(text: string, { kind, name, start, whole, value }: Declaration, mutation: Mutation): string {
  const splice = (from: number, to: number, by: string) => text.slice(0, from) + by + text.slice(to);
  if (mutation === "rename") return splice(start, start + name.length, renamed(name));
  if (mutation === "drop") {
    const rest = text.slice(whole.end).replace(/^\s*[,;]/, "");
    return text.slice(0, whole.start) + rest;
  }
  if (!value) throw new Error(`${kind} ${name} has no type to change.`);
  const { start: from, end: to } = value;
  if (kind === "output") return splice(from, to, "{ retyped: true }");
  if (kind === "input") return splice(from, to, `z.literal("retyped")`);
  const isRequired = text.slice(from, to).includes(".notNull()");
  const column = `retyped<{ data: { retyped: true } }>({ dataType: () => "jsonb" })()${isRequired ? ".notNull()" : ""}`;
  return `import { customType as retyped } from "drizzle-orm/pg-core";\n${splice(from, to, column)}`;
}
