/** A list of what waits holds so many of the oldest. */
export const MAX_WAITING = 500;
/** Of what may be worth a look, the newest. */
export const MAX_FINDINGS = 500;

export const OVERVIEW_MESSAGES = {
  seen: "Marked as seen.",
  seenFailed: "Failed to mark as seen. Please try again.",
  noChanges: "There is nothing left to show here.",
} as const;
