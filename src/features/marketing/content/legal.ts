/** One section of a legal page: the id is its anchor. */
export type LegalSection = {
  id: string;
  title: string;
  paragraphs: readonly string[];
  /** Told as a list of terms, after the paragraphs. */
  facts?: readonly { term: string; text: string }[];
};
export type LegalText = {
  title: string;
  /** A calendar day. */
  dated: string;
  /** How the day is written, where that is not ours to choose. */
  datedText?: string;
  lead: string;
  sections: readonly LegalSection[];
};

/** The day of `TERMS_VERSION`, which sign-up records: the two change together. */
export const LEGAL_DAY = "2026-11-20";
