export const SEARCH_MESSAGES = {
  failed: "The search failed.",
  nothing: (words: string) => `Nothing found for "${words}".`,
} as const;
