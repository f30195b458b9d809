/** The id of the element, JSON that is no script, in which a document carries what its page asks first. */
export const FIRST_ANSWERS_ID = "first-answers";

/** A query that a page makes as soon as it opens. */
export interface FirstCall {
  /** As tRPC names it: `projects.list`. */
  path: string;
  /** The input exactly as the page gives it, without `undefined`; JSON as it is. */
  input?: object;
  /** A list that is read page by page, of which this is the first. */
  isPaged?: boolean;
}

/** The calls of a page and their answers in the same order, as the wire has them; a refused one is left to the page. */
export interface FirstAnswers<Wire = unknown> {
  /** From before anything was read; null when nothing was. */
  cursor: string | null;
  calls: readonly FirstCall[];
  answers: readonly { result?: { data: Wire } }[];
}
