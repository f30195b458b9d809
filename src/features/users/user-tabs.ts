import type { UserListName } from "@server/contract/profiles";

/** The tabs of Users Management with accounts: one per list of the server, and `all`. */
export const ACCOUNT_TABS = ["all", "pending", "active", "rejected"] as const satisfies readonly (
  | UserListName
  | "all"
)[];
export type AccountTab = (typeof ACCOUNT_TABS)[number];

/** All of its tabs: `invited` has the open invitations. */
export const USER_TABS = [...ACCOUNT_TABS, "invited"] as const;
export type UserTab = (typeof USER_TABS)[number];
