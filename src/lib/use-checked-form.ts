import { type FormEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { toast } from "@/ui/toast";
import { mayTakeFocus } from "./page-focus";
import { fieldErrorsOf } from "./user-message";

type Issue = { path: readonly PropertyKey[]; message: string };
type Checked<Input> = { data: Input; error?: undefined } | { data?: undefined; error: { issues: readonly Issue[] } };
type FieldErrors = Record<string, string>;

type NamesOf<Shape> = Shape extends unknown ? Extract<keyof Shape, string> : never;

type CheckedFormOptions<Input, Answer, Part extends NamesOf<Input>> = {
  schema: { safeParse: (typed: unknown) => Checked<Input> };
  mutation: { mutateAsync: (input: Input) => Promise<Answer> };
  /** Where the form's fields lie, when they are one part of the input. */
  part?: Part;
  /** The fields that say themselves what is wrong with them, as they are on the screen now; "files" is the form's own. */
  drawn: readonly (NamesOf<[Part] extends [never] ? Input : Input[Part]> | "files")[];
  onSent: (answer: Answer) => void;
  onFailed?: (error: unknown) => void;
};

/**
 * Checks what was typed and sends it, once at a time; the first complaint about each field, ours or the server's, is in
 * `errors`, and in a toast where the form draws no such field. The first field with one gets the focus. Whoever wrote the mutation
 * says every other failure.
 */
export function useCheckedForm<Input, Answer, Part extends NamesOf<Input> = never>({
  schema,
  mutation,
  part,
  drawn,
  onSent,
  onFailed,
}: CheckedFormOptions<Input, Answer, Part>) {
  const [errors, setErrors] = useState<FieldErrors>({});
  // The mutation's own state is of the last drawing, and a second press may come before the next one.
  const isSending = useRef(false);
  function complain(form: Element, found: FieldErrors): void {
    flushSync(() => setErrors(found));
    focusInvalid(form);
    for (const message of complaintsBeside(drawn, found)) toast.error(message);
  }
  return {
    errors,
    clearErrors: () => setErrors({}),
    /** `found` is what the form itself has to complain about. */
    async send(event: FormEvent, typed: unknown, found: FieldErrors = {}): Promise<void> {
      event.preventDefault();
      if (isSending.current) return;
      const form = event.currentTarget;
      const { data, error } = schema.safeParse(typed);
      const wrong = { ...(error && firstErrors(error.issues, part)), ...found };
      complain(form, wrong);
      if (!data || Object.keys(wrong).length > 0) return;
      isSending.current = true;
      try {
        onSent(await mutation.mutateAsync(data));
      } catch (failure) {
        onFailed?.(failure);
        complain(form, inPart(fieldErrorsOf(failure), part));
      } finally {
        isSending.current = false;
      }
    },
  };
}

/** A button of the form may stand outside it. Whoever went on elsewhere while it was sent keeps their focus. */
function focusInvalid(form: Element): void {
  const { activeElement: active } = document;
  const isSubmit = active instanceof HTMLButtonElement && active.form === form;
  if (isSubmit || mayTakeFocus(form)) form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}

/** What no field on the screen would say, each sentence once. */
export function complaintsBeside(drawn: readonly string[], found: FieldErrors): string[] {
  return [...new Set(Object.keys(found).flatMap((field) => (drawn.includes(field) ? [] : (found[field] ?? []))))];
}

function firstErrors(issues: readonly Issue[], part: string | undefined): FieldErrors {
  const named = issues.toReversed().map(({ path, message }) => [path.join("."), message]);
  return inPart(Object.fromEntries(named), part);
}

/** `title` of `task.title`, and `taskIds` of `taskIds.0`. */
function inPart(errors: FieldErrors, part: string | undefined): FieldErrors {
  const fieldOf = (path: string) => path.split(".")[part && path.startsWith(`${part}.`) ? 1 : 0] ?? path;
  return Object.fromEntries(Object.entries(errors).map(([path, message]) => [fieldOf(path), message]));
}
