const MAX_CHOICES = 6;

/** The kind and id of something chosen. Its name is not stored, but looked up when shown. */
export type RecentChoice = `command:${string}` | `project:${string}`;

/** What this person chose last in this browser, newest first. */
export function recentChoices(personId: string): RecentChoice[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(personId)) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isChoice).slice(0, MAX_CHOICES) : [];
  } catch {
    return [];
  }
}

/** Puts a choice first. Does nothing without storage. */
export function rememberChoice(personId: string, choice: RecentChoice): void {
  const choices = [choice, ...recentChoices(personId).filter((one) => one !== choice)].slice(0, MAX_CHOICES);
  try {
    localStorage.setItem(keyOf(personId), JSON.stringify(choices));
  } catch {
    // Private windows and full disks: the list is a convenience.
  }
}

function keyOf(personId: string): string {
  return `recentChoices:${personId}`;
}

function isChoice(value: unknown): value is RecentChoice {
  return typeof value === "string" && /^(?:command|project):./.test(value);
}
