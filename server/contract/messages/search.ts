export const SEARCH_MESSAGES = {
  failed: "The search could not be carried out.",
  nothing: (words: string) => `Nothing found for "${words}".`,
} as const;
