import type { ProjectFilter } from "@server/contract/projects";

/*
 * What the board's address may say. A file of its own: every page reads addresses, and none but the board needs the icons and
 * rules that go with them.
 */

/** The tabs of the board, in order. */
export const BOARD_TABS = ["todo", "inProgress", "completed"] as const;
export type BoardTab = (typeof BOARD_TABS)[number];

/** The filters, in order. Not the contract's own list: that would bring its schemas into the first load, 9 kB. */
export const FILTERS = ["all", "client", "internal", "assigned", "managed"] as const satisfies readonly ProjectFilter[];
