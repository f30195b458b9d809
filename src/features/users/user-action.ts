import type { AccountType } from "@db/enums";
import type { AdminUser } from "@server/contract/views";

/** What an admin does with an account that has been decided about. */
export type UserAction =
  | { kind: "deactivate" | "reactivate" | "export" | "erase" }
  | { kind: "setType"; accountType: AccountType };

/** An action, and whom it is about. */
export type ChosenAction = { action: UserAction; user: AdminUser };

/** Nobody is left behind such a row: `.invalid` is no domain that mail can come from. */
export function isErased({ email }: Pick<AdminUser, "email">): boolean {
  return email.endsWith("@erased.invalid");
}
