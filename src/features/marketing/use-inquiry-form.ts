import type { InquiryKind } from "@db/enums";
import { INQUIRY_FIELDS, type InquiryField, type InquiryFormState } from "@server/contract/inquiry-form";
import { type FocusEvent, type FormEvent, useEffect, useRef, useState } from "react";
import type * as Delivery from "./inquiry-delivery";

/** Load the form's code when it is this close to the viewport. */
const APPROACH = "600px";

type Errors = { [Field in InquiryField]?: string | undefined };

/** The form's state and handlers. Until its code has loaded, the browser submits it as a plain form. */
export function useInquiryForm(kind: InquiryKind, state: InquiryFormState) {
  const [element, setElement] = useState<HTMLFormElement | null>(null);
  const [errors, setErrors] = useState<Errors>(state.fieldErrors ?? {});
  const [problem, setProblem] = useState(state.problem);
  const [outcome, setOutcome] = useState<"open" | "sending" | "failed" | "sent">(
    state.isSent ? "sent" : state.problem && !state.fieldErrors ? "failed" : "open",
  );
  const delivery = useDelivery(kind, element, state);
  const isSending = useRef(false);
  const [attempts, setAttempts] = useState(0);
  const touched = useRef(new Set<InquiryField>());

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    if (!delivery) return;
    event.preventDefault();
    const form = event.currentTarget;
    if (isSending.current) return;
    const typed = delivery.valuesOf(form);
    const wrong = delivery.check(kind, typed);
    setErrors(wrong);
    if (focusFirst(form, kind, wrong)) return setProblem(undefined);
    isSending.current = true;
    setOutcome("sending");
    const answer = await delivery.send(kind, typed);
    isSending.current = false;
    if (answer.isSent) {
      delivery.forget(kind);
      setOutcome("sent");
      return;
    }
    setErrors(answer.fieldErrors);
    setProblem(answer.problem);
    setAttempts((before) => before + 1);
    setOutcome(answer.problem === undefined ? "open" : "failed");
    focusFirst(form, kind, answer.fieldErrors);
  }

  /** Validates on blur, and on change while a field has an error. */
  function checkField({ target, type }: FocusEvent<HTMLFormElement> | FormEvent<HTMLFormElement>): void {
    if (!delivery || !element || !isField(target)) return;
    const { value } = target;
    const name = INQUIRY_FIELDS[kind].find((field) => field === target.name);
    if (!name) return;
    if (type === "input") {
      touched.current.add(name);
      delivery.keep(kind, delivery.valuesOf(element));
    }
    const isUntouched = value === "" && !touched.current.has(name);
    if (errors[name] === undefined && (type === "input" || isUntouched)) return;
    setErrors((before) => ({ ...before, [name]: delivery.check(kind, delivery.valuesOf(element))[name] }));
  }

  const first = INQUIRY_FIELDS[kind].find((name) => state.fieldErrors?.[name]);
  return {
    errors,
    problem,
    isSent: outcome === "sent",
    wasSentHere: outcome === "sent" && !state.isSent,
    isSending: outcome === "sending",
    canRetry: outcome === "failed",
    /** Counts refusals, so that the same message is announced again. */
    attempts,
    /** No field is wrong, but sending failed. */
    startsAtButton: state.problem !== undefined && !state.fieldErrors,
    isFirstWrong: (name: InquiryField) => name === first,
    props: {
      ref: setElement,
      noValidate: delivery !== null,
      onSubmit: (event: FormEvent<HTMLFormElement>) => void submit(event),
      onBlur: checkField,
      onInput: checkField,
    },
  };
}

/** The form's code, once loaded. Restores the draft into the fields first. */
function useDelivery(
  kind: InquiryKind,
  element: HTMLFormElement | null,
  state: InquiryFormState,
): typeof Delivery | null {
  const [delivery, setDelivery] = useState<typeof Delivery | null>(null);
  useEffect(() => {
    if (!element) {
      if (state.isSent) void import("./inquiry-delivery").then(({ forget }) => forget(kind));
      return undefined;
    }
    let isOver = false;
    const watcher = new IntersectionObserver(
      (entries) => {
        // Several at once when the page scrolled meanwhile, oldest first.
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        watcher.disconnect();
        // Without it the form submits as a plain form.
        import("./inquiry-delivery").then(
          (code) => {
            if (isOver) return;
            code.restore(kind, element);
            setDelivery(code);
          },
          () => undefined,
        );
      },
      { rootMargin: APPROACH },
    );
    watcher.observe(element);
    return () => {
      isOver = true;
      watcher.disconnect();
    };
  }, [kind, element, state]);
  return delivery;
}

function focusFirst(form: HTMLFormElement, kind: InquiryKind, errors: Errors): boolean {
  const name = INQUIRY_FIELDS[kind].find((field) => errors[field]);
  const field = name === undefined ? null : form.elements.namedItem(name);
  if (field instanceof HTMLElement) field.focus();
  return name !== undefined;
}

function isField(target: EventTarget): target is HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement {
  return (
    target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement
  );
}
