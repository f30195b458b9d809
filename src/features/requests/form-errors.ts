type Issue = { path: readonly PropertyKey[]; message: string };

/** The first complaint about each field; `depth` is where in its path the field's name stands. */
export function firstErrors(issues: readonly Issue[], depth = 0): Record<string, string> {
  return Object.fromEntries(issues.toReversed().map(({ path, message }) => [String(path[depth]), message]));
}
