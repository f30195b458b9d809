import { useState } from "react";
import { changedFields, type FieldValue, type Merge, mergeEdits } from "./three-way-merge";

/** Whose version of a field stands in the form. */
export type Side = "yours" | "theirs";

/** Both versions, while somebody chooses between them. */
export interface Review<Values> {
  /** Taken over from them: nobody else had changed these. */
  taken: readonly (keyof Values)[];
  conflicts: readonly (keyof Values)[];
  theirs: Values;
  /** What each side stands for in the form, with what was typed since. */
  typed: Record<Side, Values>;
  /** Conflicting fields in which their version was chosen. */
  given: readonly (keyof Values)[];
}

type EditConflictOptions<Row, Values> = {
  fields: readonly (keyof Values)[];
  valuesOf: (row: Row) => Values;
  /** As it was when the edit began. */
  begun: Row;
  /** As it is known now. */
  live: Row;
  /** One's own save is on its way: what changes meanwhile is probably that. */
  isSaving: boolean;
  form: {
    read: () => Values;
    /** Puts the values into the form; what differs from `base` is what the person has changed. */
    fill: (values: Values, base: Values) => void;
  };
};

type FormValues<Values> = Record<keyof Values, FieldValue>;

/**
 * Two people edit one thing. While a form is open, `news` names what somebody else has changed since; typed words stay as
 * they are until `open` merges the two: what only they changed is taken over, what both changed is offered as a choice.
 * `first` is what the person began with; `base` is what the form stands on: its version goes with the next save, and what differs from it is one's own change.
 */
export function useEditConflict<Row extends { version: number }, Values extends FormValues<Values>>({
  fields,
  valuesOf,
  begun,
  live,
  isSaving,
  form,
}: EditConflictOptions<Row, Values>) {
  const [first] = useState(begun);
  const [base, setBase] = useState(begun);
  const [review, setReview] = useState<Review<Values> | null>(null);
  const isBehind = live.version > base.version;
  const changed = isBehind ? changedFields(fields, valuesOf(base), valuesOf(live)) : [];
  // Something that the form does not show, such as its place in a list: nobody needs to know.
  if (isBehind && changed.length === 0 && !isSaving) setBase(live);

  /** Merges with their version, and shows what there is to see of it. */
  function open(theirs: Row = live): Merge<Values> {
    const mine = form.read();
    const values = valuesOf(theirs);
    const merge = mergeEdits(fields, { base: valuesOf(base), mine, theirs: values });
    form.fill(merge.merged, values);
    setBase(theirs);
    if (merge.taken.length > 0 || merge.conflicts.length > 0) {
      const conflicts = fields.filter((field) => merge.conflicts.includes(field) || review?.conflicts.includes(field));
      const given = review?.given.filter((field) => !merge.conflicts.includes(field)) ?? [];
      setReview({
        taken: fields.filter(
          (field) => !conflicts.includes(field) && (merge.taken.includes(field) || review?.taken.includes(field)),
        ),
        conflicts,
        theirs: values,
        typed: { yours: { ...mine, ...(review && pick(given, review.typed.yours)) }, theirs: values },
        given,
      });
    }
    return merge;
  }

  function choose(field: keyof Values, side: Side): void {
    if (!review || review.given.includes(field) === (side === "theirs")) return;
    const now = form.read();
    const other = side === "yours" ? "theirs" : "yours";
    const typed = { ...review.typed, [other]: { ...review.typed[other], [field]: now[field] } };
    form.fill({ ...now, [field]: typed[side][field] }, valuesOf(base));
    const rest = review.given.filter((one) => one !== field);
    setReview({ ...review, typed, given: side === "theirs" ? [...rest, field] : rest });
  }

  /** One's own version in every field that both changed. */
  function insist(): void {
    if (!review) return;
    form.fill({ ...form.read(), ...pick(review.given, review.typed.yours) }, valuesOf(base));
    setReview({ ...review, given: [] });
  }

  /** The form goes on from that row: saved, or theirs in place of everything typed. */
  function adopt(row: Row): void {
    setBase(row);
    setReview(null);
  }

  return {
    first,
    base,
    live,
    news: isSaving || changed.length === 0 ? null : changed,
    review,
    open,
    choose,
    insist,
    adopt,
  };
}

function pick<Values>(fields: readonly (keyof Values)[], values: Values): Partial<Values> {
  const picked: Partial<Values> = {};
  for (const field of fields) picked[field] = values[field];
  return picked;
}
