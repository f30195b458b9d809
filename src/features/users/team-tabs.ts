/** Everybody, staff, or clients, in this order. Apart from the rest of Team: routes read addresses, and every page loads what routes need. */
export const TEAM_TABS = ["all", "team", "clients"] as const;
export type TeamTab = (typeof TEAM_TABS)[number];
