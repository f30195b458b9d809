import type { AdminUser } from "@server/contract/views";
import { useCallback, useSyncExternalStore } from "react";
import { createStore } from "@/lib/store";
import { announce } from "@/ui/announce";
import { type UserAction, useUserActions } from "./use-user-actions";

/** Actions on an account that need no confirmation. */
export type DirectAction = "export" | "invite";

const STARTED: Record<DirectAction, (name: string) => string> = {
  export: (name) => `Exporting data of ${name}`,
  invite: (name) => `Sending the invitation to ${name}`,
};
const NONE: readonly DirectAction[] = [];

/** By the account's id. Outside the list, which another tab or filter draws anew. */
const underWay = new Map<string, readonly DirectAction[]>();
const store = createStore();

export function isDirect(kind: UserAction["kind"]): kind is DirectAction {
  return kind in STARTED;
}

/** Which are under way for an account: they cannot be chosen a second time. */
export function useActionsUnderWay(userId: string): readonly DirectAction[] {
  return useSyncExternalStore(
    store.subscribe,
    () => underWay.get(userId) ?? NONE,
    () => NONE,
  );
}

/** Does one of them and says so; does nothing while the same is under way. */
export function useDirectActions(): (kind: DirectAction, user: AdminUser) => Promise<void> {
  const act = useUserActions();
  return useCallback(
    async (kind, user) => {
      if (underWay.get(user.id)?.includes(kind)) return;
      setUnderWay(user.id, (kinds) => [...kinds, kind]);
      announce(STARTED[kind](user.name));
      await act({ kind }, user);
      setUnderWay(user.id, (kinds) => kinds.filter((other) => other !== kind));
    },
    [act],
  );
}

function setUnderWay(userId: string, change: (kinds: readonly DirectAction[]) => readonly DirectAction[]): void {
  const next = change(underWay.get(userId) ?? NONE);
  if (next.length > 0) underWay.set(userId, next);
  else underWay.delete(userId);
  store.emit();
}
