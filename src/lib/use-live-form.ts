import { useEffect, useEffectEvent, useRef } from "react";
import type { FieldValues, Path, UseFormReturn } from "react-hook-form";
import { changedFields, type FieldValue, mergeEdits } from "./three-way-merge";

type LiveFormOptions<Values> = {
  fields: readonly (keyof Values)[];
  /** As the server has it. Must be stable between renders. */
  live: Values;
  form: {
    read: () => Values;
    /** Puts the values into the form; what differs from `base` is what the person has changed. */
    fill: (values: Values, base: Values) => void;
  };
};

/**
 * A form of settings that others may change meanwhile, each by itself: what is typed stays, every other field follows. For things
 * with a version, where both sides of a conflict are shown, there is `useEditConflict`.
 */
export function useLiveForm<Values extends Record<keyof Values, FieldValue>>({
  fields,
  live,
  form,
}: LiveFormOptions<Values>) {
  const base = useRef(live);
  /** Where both sides have changed a field, still what the person's own text began with. */
  const began = useRef(live);
  const { read, fill } = form;

  /** `from` is what the form stood on when `theirs` began to differ. */
  function rebase(theirs: Values, from: Values): void {
    const { merged, conflicts } = mergeEdits(fields, { base: from, mine: read(), theirs });
    const beganWith = { ...theirs };
    for (const field of conflicts) beganWith[field] = began.current[field];
    began.current = beganWith;
    base.current = theirs;
    fill(merged, theirs);
  }
  const follow = useEffectEvent((theirs: Values) => {
    if (changedFields(fields, base.current, theirs).length > 0) rebase(theirs, base.current);
  });
  useEffect(() => follow(live), [live]);

  return {
    /** To be called when the form is sent. */
    begin() {
      const sent = read();
      const changed = changedFields(fields, base.current, sent);
      return {
        /** All that is to be sent. */
        changed,
        /** What each field was when the person began to change it. */
        began: began.current,
        /** Saved as this: what was typed since stays, and is not saved. */
        saved(row: Values): void {
          const theirs = { ...base.current };
          for (const field of changed) theirs[field] = row[field];
          began.current = theirs;
          rebase(theirs, sent);
        },
      };
    },
    discard: () => fill(base.current, base.current),
  };
}

/** A form of react-hook-form with these fields. What somebody is typing keeps its caret: no other text is put in its place. */
export function liveFormOf<Values extends FieldValues>(
  { getValues, reset, setValue }: Pick<UseFormReturn<Values>, "getValues" | "reset" | "setValue">,
  fields: readonly Path<Values>[],
): { read: () => Values; fill: (values: Values, base: Values) => void } {
  return {
    read: () => structuredClone(getValues()),
    fill(values, base) {
      reset(base, { keepValues: true, keepErrors: true, keepTouched: true, keepIsSubmitted: true });
      for (const field of fields) setValue(field, values[field], { shouldDirty: true });
    },
  };
}
