/**
 * A list of names or days, edited by somebody who began with `before`: what they added and removed, done to the list as it is now.
 * Sorted. Without `before` theirs replaces it.
 */
export function mergeList({
  before,
  edited,
  present,
}: {
  before: readonly string[] | undefined;
  edited: readonly string[];
  present: readonly string[];
}): string[] {
  const [began, kept] = [new Set(before ?? present), new Set(edited)];
  const untouched = present.filter((one) => kept.has(one) || !began.has(one));
  const added = edited.filter((one) => before === undefined || !began.has(one));
  return [...new Set([...untouched, ...added])].sort();
}
