/** Refusals of what a client is to see of commits. */
export const COMMIT_VIEW_MESSAGES = {
  modeMissing: "Choose what the client sees of commits.",
  maskedWordMissing: "Enter a word to mask, or remove the empty line.",
  tooManyMasked: "You can mask at most 100 words.",
} as const;
