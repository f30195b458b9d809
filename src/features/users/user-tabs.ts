import type { UserListName } from "@server/contract/profiles";

/** The subtabs of Users Management: a list of the server each, and `all`. */
export const USER_TABS = ["all", "pending", "active", "rejected"] as const satisfies readonly (UserListName | "all")[];
export type UserTab = (typeof USER_TABS)[number];
