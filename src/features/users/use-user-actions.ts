import type { AccountType } from "@db/enums";
import { INVITATION_MESSAGES } from "@server/contract/messages/invitations";
import { USER_MESSAGES } from "@server/contract/messages/users";
import type { AdminUser } from "@server/contract/views";
import { useMemo } from "react";
import { download } from "@/lib/download";
import { today } from "@/lib/format";
import { trpc } from "@/lib/trpc";
import { messageOf } from "@/lib/user-message";
import { announce } from "@/ui/announce";
import { toast } from "@/ui/toast";
import { useRefreshUsers } from "./use-users";

/** What an admin can do with an account: reject one that is pending, everything else with a decided one. */
export type UserAction =
  | { kind: "reject" | "deactivate" | "reactivate" | "export" | "erase" | "invite" | "resetTwoFactor" }
  | { kind: "setType"; accountType: AccountType };

export type ChosenAction = { action: UserAction; user: AdminUser };

/** Whether the account has been erased: its address is under `.invalid`, where no mail can come from. */
export function isErased({ email }: Pick<AdminUser, "email">): boolean {
  return email.endsWith("@erased.invalid");
}

/**
 * Changes an account and shows a toast. Resolves when the lists are refetched, also after a refusal: then somebody else was
 * first, and the row was out of date.
 */
export function useUserActions(): (action: UserAction, user: AdminUser) => Promise<void> {
  const utils = trpc.useUtils();
  const refresh = useRefreshUsers();
  return useMemo(
    () => async (action, user) => {
      const { client } = utils;
      const subject = { userId: user.id };
      try {
        switch (action.kind) {
          case "reject":
            await client.users.reject.mutate(subject);
            toast.success(USER_MESSAGES.rejected);
            break;
          case "deactivate":
            await client.users.deactivate.mutate(subject);
            toast.success(USER_MESSAGES.deactivated);
            break;
          case "reactivate":
            await client.users.reactivate.mutate(subject);
            toast.success(USER_MESSAGES.reactivated);
            break;
          case "setType":
            await client.users.setType.mutate({ ...subject, accountType: action.accountType });
            toast.success(USER_MESSAGES.typeChanged(action.accountType));
            break;
          case "resetTwoFactor":
            await client.users.resetTwoFactor.mutate(subject);
            toast.success(USER_MESSAGES.twoFactorReset);
            break;
          case "erase":
            await client.users.erasePerson.mutate(subject);
            toast.success(USER_MESSAGES.erased);
            // Their name stands in projects, comments and conversations, too.
            void utils.invalidate();
            break;
          case "invite":
            await client.users.sendInvitation.mutate(subject);
            toast.success(INVITATION_MESSAGES.sent(user.name));
            break;
          case "export":
            download(
              jsonFile(await client.users.exportPerson.mutate(subject)),
              `sangam-${user.username}-${today()}.json`,
            );
            announce(`Data of ${user.name} downloaded`);
            return;
        }
      } catch (error) {
        toast.error(FAILED[action.kind], { description: messageOf(error) });
        if (action.kind === "export") return;
      }
      await refresh();
    },
    [utils, refresh],
  );
}

const FAILED: Record<UserAction["kind"], string> = {
  reject: USER_MESSAGES.rejectFailed,
  deactivate: USER_MESSAGES.changeFailed,
  reactivate: USER_MESSAGES.changeFailed,
  setType: USER_MESSAGES.changeFailed,
  resetTwoFactor: USER_MESSAGES.changeFailed,
  erase: USER_MESSAGES.eraseFailed,
  export: USER_MESSAGES.exportFailed,
  invite: INVITATION_MESSAGES.sendFailed,
};

function jsonFile(content: object): Blob {
  return new Blob([JSON.stringify(content, null, 2)], { type: "application/json" });
}
