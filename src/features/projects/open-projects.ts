const MAX_OPEN = 50;

/** The ids in `?open=`: the projects of a list whose details are open. */
export function openIds(open: string | undefined): string[] {
  return (open ?? "").split(",").filter(Boolean).slice(0, MAX_OPEN);
}

/** `?open=` with that project toggled. */
export function toggleOpen(open: string | undefined, projectId: string): string | undefined {
  const ids = openIds(open);
  const next = ids.includes(projectId) ? ids.filter((id) => id !== projectId) : [...ids, projectId];
  // The latest ones: what was just opened must never be cut off.
  return next.slice(-MAX_OPEN).join(",") || undefined;
}
