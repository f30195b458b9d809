import type { ProjectFilter } from "@server/contract/projects";

/*
 * The values that the board's address may hold. A separate file, because every page reads addresses but only the board needs the
 * icons and rules that belong to these values.
 */

/** The tabs of the board, in order. */
export const BOARD_TABS = ["todo", "inProgress", "completed"] as const;
export type BoardTab = (typeof BOARD_TABS)[number];

/** The filters, in order. Not imported from the contract, whose schemas would add 9 kB to the first load. */
export const FILTERS = ["all", "client", "internal", "assigned", "managed"] as const satisfies readonly ProjectFilter[];
