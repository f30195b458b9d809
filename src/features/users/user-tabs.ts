import type { UserListName } from "@server/contract/profiles";

/** The tabs of Users Management: one per list of the server, and `all`. */
export const USER_TABS = ["all", "pending", "active", "rejected"] as const satisfies readonly (UserListName | "all")[];
export type UserTab = (typeof USER_TABS)[number];
