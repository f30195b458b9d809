/** How many rows are read at once: things with others below them, and those below. */
export const PAGE = 200;
export const INNER_PAGE = 1_000;

/** Every id follows it. */
export const BEFORE_ALL = "00000000-0000-0000-0000-000000000000";

/** A row that the next page begins after. */
export interface Identified {
  id: string;
}
