import type { InquiryKind } from "@db/enums";
import {
  HONEYPOT_FIELD,
  INQUIRY_FORM_ACTION,
  type InquiryField,
  type InquiryFormState,
} from "@server/contract/inquiry-form";
import { INQUIRY_MESSAGES } from "@server/contract/messages/inquiries";
import { CircleCheck } from "lucide-react";
import { useEffect, useRef } from "react";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { InlineAlert } from "@/ui/inline-alert";
import { Select } from "@/ui/select";
import { Steady } from "@/ui/steady";
import { TextArea } from "@/ui/text-area";
import { TextInput } from "@/ui/text-input";
import { FIRM } from "./content/firm";
import { useInquiryForm } from "./use-inquiry-form";

type InquiryFormProps = {
  kind: InquiryKind;
  /** The server's state of a form that was sent without JavaScript; empty otherwise. */
  state: InquiryFormState;
  subjects: { name: "subject" | "programme"; label: string; none: string; options: readonly [string, string][] };
  submitLabel: string;
};

/**
 * The contact form, and the application form. It is a plain form that the server answers with a page; once its code is here
 * (near the view), it checks on leaving a field, sends without leaving the page, and keeps what is typed over a reload.
 */
export function InquiryForm({ kind, state, subjects, submitLabel }: InquiryFormProps) {
  const form = useInquiryForm(kind, state);
  if (form.isSent) return <Thanks kind={kind} takesFocus={form.wasSentHere} />;
  const field = (name: InquiryField) => ({
    name,
    defaultValue: state.values?.[name] ?? "",
    // After a submit without JavaScript, focus the first error.
    autoFocus: form.isFirstWrong(name),
  });
  // The thanks replace the form: meanwhile no field takes words that would go with it.
  const line = (name: InquiryField) => ({ ...field(name), readOnly: form.isSending, className: "read-only:text-ink2" });
  const isContact = kind === "contact";
  return (
    <form {...form.props} method="post" action={INQUIRY_FORM_ACTION} className="grid gap-4 sm:grid-cols-2">
      <input type="hidden" name="kind" value={kind} />
      <Field label="Name" error={form.errors.name} required>
        <TextInput {...line("name")} required autoComplete="name" />
      </Field>
      <Field label="Email" error={form.errors.email} required>
        <TextInput {...line("email")} type="email" required autoComplete="email" inputMode="email" />
      </Field>
      {isContact ? (
        <Field label="Company" mark="optional" error={form.errors.company}>
          <TextInput {...line("company")} autoComplete="organization" />
        </Field>
      ) : (
        <Field label="Phone" error={form.errors.phone} required>
          <TextInput {...line("phone")} type="tel" required autoComplete="tel" />
        </Field>
      )}
      <Field label={subjects.label} error={form.errors[subjects.name]} required>
        <Select {...field(subjects.name)} required>
          <option value="">{subjects.none}</option>
          {subjects.options.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      <Field
        label={isContact ? "Message" : "Note"}
        mark={isContact ? undefined : "optional"}
        error={form.errors[isContact ? "message" : "note"]}
        required={isContact}
        className="sm:col-span-2"
      >
        <TextArea
          {...field(isContact ? "message" : "note")}
          required={isContact}
          readOnly={form.isSending}
          rows={5}
          className="min-h-32 read-only:text-ink2"
        />
      </Field>
      <p className="sr-only" aria-hidden="true">
        <label>
          Leave this empty
          <input type="text" name={HONEYPOT_FIELD} tabIndex={-1} autoComplete="off" />
        </label>
      </p>
      <Steady>
        {form.problem && (
          <InlineAlert key={form.attempts} tone="red" className="sm:col-span-2">
            {form.problem}
          </InlineAlert>
        )}
      </Steady>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 sm:col-span-2">
        <Button
          type="submit"
          variant="primary"
          size="lg"
          autoFocus={form.startsAtButton}
          busy={form.isSending}
          busyLabel="Sending..."
        >
          {form.canRetry ? "Retry" : submitLabel}
        </Button>
        <p className="text-dense text-ink2">{FIRM.reply}</p>
      </div>
    </form>
  );
}

/** Replaces the form, and takes its focus if the form had it. */
function Thanks({ kind, takesFocus }: { kind: InquiryKind; takesFocus: boolean }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus) box.current?.focus();
  }, [takesFocus]);
  return (
    <div
      ref={box}
      tabIndex={-1}
      role="status"
      className="flex min-h-[220px] flex-col items-start justify-center gap-3 rounded-card bg-green-soft p-6 text-green outline-none"
    >
      <CircleCheck size={28} />
      <p className="max-w-[32ch] font-display font-semibold text-h3 tracking-[-0.02em]">
        {kind === "contact" ? INQUIRY_MESSAGES.sent : INQUIRY_MESSAGES.applied}
      </p>
      <p className="text-body">{FIRM.hours}</p>
    </div>
  );
}
