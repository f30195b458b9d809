export const OVERVIEW_MESSAGES = {
  seen: "Marked as seen.",
  seenFailed: "Failed to mark as seen. Please try again.",
  noChanges: "Nothing of this kind is left.",
} as const;
