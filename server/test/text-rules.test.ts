import { expect, test } from "vitest";
import type * as z from "zod/mini";
import { appRouter } from "../router";

/* Every field of every input that takes words of people's own, found by walking the router: a new one cannot forget the rules. */

/** Fields of many lines. All other words stand in one line. */
const MANY_LINES = /(^|\.)(description|message|note|(?<!checklist\.)text|address|reason)$/;

/** What takes any text and shows it to nobody: passwords, places in lists, addresses to go to, what is searched for, a trap for programs. */
const NOT_SHOWN = /(^|\.)(\w*[pP]assword|token|challenge|code|cursor|lastEventId|redirect|q|website)$/;

const TEXT = "Some words";

interface Field {
  path: string;
  schema: z.ZodMiniType;
}

const fields = Object.entries(appRouter._def.procedures).flatMap(([path, procedure]) => {
  const inputs: unknown[] = Object(procedure)._def.inputs;
  return inputs.flatMap((input) => (isSchema(input) ? fieldsOf(input, path) : []));
});
const textFields = fields.filter(({ path, schema }) => !NOT_SHOWN.test(path) && schema.safeParse(TEXT).data === TEXT);

test("the walk finds the fields that people write", () => {
  expect(textFields.map(({ path }) => path)).toEqual(
    expect.arrayContaining([
      "auth.signUp.name",
      "auth.createApiKey.name",
      "users.updateProfile.displayName",
      "projects.create.projectType",
      "projects.create.tasks.description",
      "projects.update.patch.title",
      "tasks.update.patch.title",
      "chat.send.text",
      "inquiries.submit.company",
      "inquiries.submit.note",
    ]),
  );
});

test.each(textFields)("$path refuses what shows as nothing or as something else", ({ path, schema }) => {
  // Where words may be absent, a blank is absence.
  for (const blank of ["\u200B", "\u2800\u3164", "\u202E", " "])
    expect([undefined, null, ""], JSON.stringify(blank)).toContain(schema.safeParse(blank).data);
  for (const odd of ["a\u0000b", "a\u0007b", "a\u202Eb", "a\u{E0061}b", "a\uD800b", "a\uFFF9b"])
    expect(schema.safeParse(odd).success, JSON.stringify(odd)).toBe(false);
  for (const odd of ["a\nb", "a\tb", "a\u2067b\u2069"])
    expect(schema.safeParse(odd).success, JSON.stringify(odd)).toBe(MANY_LINES.test(path));
  for (const legal of ["می‌خواهم", "👩‍👩‍👧‍👦", "क्‍ष", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"]) expect(schema.safeParse(legal).data).toBe(legal);
});

/** The fields below a schema with their paths, whatever it is wrapped in. */
function fieldsOf(schema: z.ZodMiniType, path: string): Field[] {
  const def = Object(schema)._zod.def;
  const inner = [def.innerType, def.in, def.out, ...(def.options ?? [])].filter(isSchema);
  const own = [...inner, ...(isSchema(def.element) ? [def.element] : [])].flatMap((one) => fieldsOf(one, path));
  const named = Object.entries(def.shape ?? {}).flatMap(([key, field]) => {
    if (!isSchema(field)) return [];
    const below = `${path}.${key}`;
    return [{ path: below, schema: field }, ...fieldsOf(field, below)];
  });
  const elements = isSchema(def.element) ? [{ path: `${path}[]`, schema: def.element }] : [];
  return [...named, ...elements, ...own];
}

function isSchema(value: unknown): value is z.ZodMiniType {
  return typeof value === "object" && value !== null && "_zod" in value;
}
