import type { InquiryKind } from "@db/enums";
import { type Submission, submitInquirySchema } from "../contract/inquiries";
import { HONEYPOT_FIELD, INQUIRY_FIELDS, type InquiryFormState } from "../contract/inquiry-form";
import { MESSAGES } from "../contract/messages";
import type { Context } from "../core/context";
import { DomainError } from "../core/errors";
import { describeError } from "../core/logger";
import { submitHtmlForm } from "./mutations";

type Sent = { kind: InquiryKind; isSent: true };
type NotSent = {
  kind: InquiryKind;
  isSent: false;
  status: 400 | 429 | 503;
  retryAfterSeconds: number | null;
  /** What the form shows again: the submitted values and the errors. */
  state: InquiryFormState;
};

/**
 * Handles the form of a browser without JavaScript by the same rules as `inquiries.submit`. Never throws, neither for invalid
 * input nor when the inquiry cannot be stored: the visitor gets the form back with the submitted values.
 */
export async function receiveForm(
  ctx: Pick<Context, "db" | "limits" | "contactEmail" | "address" | "logger">,
  form: Readonly<Record<string, unknown>>,
): Promise<Sent | NotSent> {
  const kind: InquiryKind = form.kind === ("application" satisfies InquiryKind) ? "application" : "contact";
  const values = typedValues(kind, form);
  const parsed = submitInquirySchema.safeParse({
    ...values,
    kind,
    [HONEYPOT_FIELD]: textOf(form[HONEYPOT_FIELD]),
  } satisfies Partial<Record<keyof Submission | typeof HONEYPOT_FIELD, unknown>>);
  if (!parsed.success) {
    const fieldErrors = firstErrors(kind, parsed.error.issues);
    return { kind, isSent: false, status: 400, retryAfterSeconds: null, state: { values, ...fieldErrors } };
  }
  try {
    await submitHtmlForm(ctx, parsed.data);
    return { kind, isSent: true };
  } catch (error) {
    const temporary = error instanceof DomainError && error.retryAfterSeconds !== undefined ? error : null;
    if (!temporary) ctx.logger.error("contact form", describeError(error));
    const problem = `${temporary?.message ?? MESSAGES.inquiries.sendFailed} ${MESSAGES.general.typedIsKept}`;
    const status = temporary?.code === "TOO_MANY_REQUESTS" ? 429 : 503;
    const retryAfterSeconds = temporary?.retryAfterSeconds ?? null;
    return { kind, isSent: false, status, retryAfterSeconds, state: { values, problem } };
  }
}

/** The form's fields, empty ones included. */
function typedValues(kind: InquiryKind, form: Readonly<Record<string, unknown>>): Record<string, string> {
  // A file or a missing field counts as empty.
  return Object.fromEntries(INQUIRY_FIELDS[kind].map((name) => [name, textOf(form[name])]));
}

/** Line breaks as typed: forms submit them as CRLF. */
function textOf(value: unknown): string {
  return typeof value === "string" ? value.replaceAll("\r\n", "\n") : "";
}

function firstErrors(
  kind: InquiryKind,
  issues: readonly { path: readonly PropertyKey[]; message: string }[],
): Pick<InquiryFormState, "fieldErrors" | "problem"> {
  const fieldErrors: Record<string, string> = {};
  for (const { path, message } of issues) {
    const name = INQUIRY_FIELDS[kind].find((field) => field === path[0]);
    if (name) fieldErrors[name] ??= message;
  }
  // An error of a hidden field, such as the honeypot, cannot be shown beside it.
  return Object.keys(fieldErrors).length > 0
    ? { fieldErrors, problem: MESSAGES.general.invalid }
    : { problem: MESSAGES.inquiries.sendFailed };
}
