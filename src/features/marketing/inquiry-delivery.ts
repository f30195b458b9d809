import type { InquiryKind } from "@db/enums";
import { HONEYPOT_FIELD, INQUIRY_FIELDS, type InquiryField, type InquiryTexts } from "@server/contract/inquiry-form";
import { INQUIRY_MESSAGES } from "@server/contract/messages/inquiries";
import { newKey } from "@/lib/new-key";
import { readDraft, writeDraft } from "@/lib/session-draft";

/*
 * What the public forms do with JavaScript; loaded when one comes near the viewport. No schema and no API client: the server
 * checks everything again, and its messages take precedence.
 */

type Values = InquiryTexts & { [HONEYPOT_FIELD]?: string };
export type Answer = { isSent: boolean; fieldErrors: InquiryTexts; problem: string | undefined };

const FIELDS = [...INQUIRY_FIELDS.contact, ...INQUIRY_FIELDS.application, HONEYPOT_FIELD] as const;
const WRITER = {};
/** The last attempt, for browsers without storage. */
const attempts: Partial<Record<InquiryKind, { key: string; words: string }>> = {};
const ANSWER_MS = 20_000;
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** The form's values by field name. */
export function valuesOf(form: HTMLFormElement): Values {
  const typed = new FormData(form);
  const values: Values = {};
  for (const name of FIELDS) {
    const value = typed.get(name);
    if (typeof value === "string") values[name] = value;
  }
  return values;
}

/** The errors that need no server: an empty field, a malformed address. */
export function check(kind: InquiryKind, values: Values): InquiryTexts {
  const wrong: InquiryTexts = {};
  const isBlank = (name: InquiryField) => !values[name]?.trim();
  if (isBlank("name")) wrong.name = INQUIRY_MESSAGES.nameRequired;
  if (!EMAIL.test(values.email?.trim() ?? "")) wrong.email = INQUIRY_MESSAGES.emailInvalid;
  if (kind === "contact") {
    if (isBlank("subject")) wrong.subject = INQUIRY_MESSAGES.subjectRequired;
    if (isBlank("message")) wrong.message = INQUIRY_MESSAGES.messageRequired;
  } else {
    if (isBlank("phone")) wrong.phone = INQUIRY_MESSAGES.phoneRequired;
    if (isBlank("programme")) wrong.programme = INQUIRY_MESSAGES.programmeRequired;
  }
  return wrong;
}

/** The idempotency key for this text: the same for a retry, even after a reload; a new one once the text changes. */
function keyOf(kind: InquiryKind, text: string): string {
  const stored = attempts[kind] ?? readDraft(attemptKey(kind), (draft) => (typeof draft === "object" ? draft : null));
  const [key, before] = [at(stored, "key"), at(stored, "words")];
  if (typeof key === "string" && before === text) return key;
  const attempt = { key: newKey(), words: text };
  attempts[kind] = attempt;
  writeDraft(attemptKey(kind), attempt, WRITER);
  return attempt.key;
}

/** Calls `inquiries.submit`. Never rejects: a missing answer becomes `problem`. */
export async function send(kind: InquiryKind, values: Values): Promise<Answer> {
  const all = [...INQUIRY_FIELDS[kind], HONEYPOT_FIELD] as const;
  const names = all.filter((name) => values[name] !== undefined);
  const written = Object.fromEntries([["kind", kind], ...names.map((name) => [name, values[name]])]);
  const json = { ...written, inquiryKey: keyOf(kind, JSON.stringify(written)) };
  try {
    const answer = await fetch("/api/trpc/inquiries.submit", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ json }),
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    if (answer.ok) return { isSent: true, fieldErrors: {}, problem: undefined };
    if (answer.status === 413) {
      const { tooLarge } = INQUIRY_MESSAGES;
      const fieldErrors: InquiryTexts = kind === "contact" ? { message: tooLarge } : { note: tooLarge };
      return { isSent: false, fieldErrors, problem: undefined };
    }
    return refusal(kind, await answer.json());
  } catch {
    return { isSent: false, fieldErrors: {}, problem: INQUIRY_MESSAGES.sendFailed };
  }
}

/** The server's messages for fields of this form, or else one for the whole form. */
function refusal(kind: InquiryKind, body: unknown): Answer {
  const error = at(body, "error", "json");
  const errors = at(error, "data", "fieldErrors");
  const fieldErrors: InquiryTexts = {};
  for (const name of INQUIRY_FIELDS[kind]) {
    const message = at(errors, name, "0");
    if (typeof message === "string") fieldErrors[name] = message;
  }
  const message = at(error, "message");
  // It says when to try again.
  const isKnown = at(error, "data", "retryAfterSeconds") !== undefined && typeof message === "string";
  const problem = isKnown ? message : INQUIRY_MESSAGES.sendFailed;
  return { isSent: false, fieldErrors, problem: Object.keys(fieldErrors).length > 0 ? undefined : problem };
}

function at(value: unknown, ...path: string[]): unknown {
  let found = value;
  for (const key of path) {
    if (typeof found !== "object" || found === null) return undefined;
    found = Object.entries(found).find(([name]) => name === key)?.[1];
  }
  return found;
}

/** Stores the typed values for this tab. */
export function keep(kind: InquiryKind, values: Values): void {
  writeDraft(draftKey(kind), values, WRITER);
}

export function forget(kind: InquiryKind): void {
  writeDraft(draftKey(kind), null, WRITER);
  writeDraft(attemptKey(kind), null, WRITER);
  delete attempts[kind];
}

/** Fills empty fields from the stored draft, and stores what is already typed: the form may be older than this code. */
export function restore(kind: InquiryKind, form: HTMLFormElement): void {
  const stored = readDraft(draftKey(kind), (draft) => (typeof draft === "object" ? draft : null));
  for (const name of INQUIRY_FIELDS[kind]) {
    const value = at(stored, name);
    const field = form.elements.namedItem(name);
    const isFillable =
      field instanceof HTMLInputElement || field instanceof HTMLSelectElement || field instanceof HTMLTextAreaElement;
    if (isFillable && field.value === "" && typeof value === "string") field.value = value;
  }
  const values = valuesOf(form);
  if (INQUIRY_FIELDS[kind].some((name) => values[name])) keep(kind, values);
}

function draftKey(kind: InquiryKind): string {
  return `draft:${kind}`;
}

function attemptKey(kind: InquiryKind): string {
  return `attempt:${kind}`;
}
