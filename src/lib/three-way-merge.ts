/** What a form holds of a row: text, a choice, or a list whose order means nothing to a merge (people, tags). */
export type FieldValue = string | boolean | readonly string[];

/** What came of two edits that began with the same values. */
export interface Merge<Values> {
  /** Mine, with what only they changed. */
  merged: Values;
  /** Only they changed these: theirs is taken over. */
  taken: (keyof Values)[];
  /** Both changed these, differently: somebody has to choose; until then mine stands. */
  conflicts: (keyof Values)[];
}

/** Merges two edits of one thing, field by field. Pure; both lists are in the order of `fields`. */
export function mergeEdits<Values extends Record<keyof Values, FieldValue>>(
  fields: readonly (keyof Values)[],
  { base, mine, theirs }: { base: Values; mine: Values; theirs: Values },
): Merge<Values> {
  const merged = { ...mine };
  const taken: (keyof Values)[] = [];
  const conflicts: (keyof Values)[] = [];
  for (const field of changedFields(fields, base, theirs)) {
    if (isSameValue(mine[field], theirs[field])) continue;
    if (isSameValue(mine[field], base[field])) {
      merged[field] = theirs[field];
      taken.push(field);
    } else conflicts.push(field);
  }
  return { merged, taken, conflicts };
}

/** What a form holds once `saved` has come back for what was sent; null when nothing was typed while it was on its way. */
export function typedSince<Values extends Record<keyof Values, FieldValue>>(
  fields: readonly (keyof Values)[],
  { sent, mine, saved }: { sent: Values; mine: Values; saved: Values },
): Values | null {
  if (changedFields(fields, sent, mine).length === 0) return null;
  return mergeEdits(fields, { base: sent, mine, theirs: saved }).merged;
}

/** The fields in which the two differ, in the order of `fields`. */
export function changedFields<Values extends Record<keyof Values, FieldValue>>(
  fields: readonly (keyof Values)[],
  before: Values,
  after: Values,
): (keyof Values)[] {
  return fields.filter((field) => !isSameValue(before[field], after[field]));
}

function isSameValue(one: FieldValue, other: FieldValue): boolean {
  if (typeof one !== "object" || typeof other !== "object") return one === other;
  const members = new Set(one);
  return members.size === new Set(other).size && other.every((value) => members.has(value));
}
