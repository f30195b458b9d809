import { AUTH_MESSAGES } from "@server/contract/messages/auth";
import { USER_MESSAGES } from "@server/contract/messages/users";
import { useState } from "react";
import { useMe } from "@/features/auth/use-auth";
import { trpc } from "@/lib/trpc";
import { codeOf, messageOf } from "@/lib/user-message";
import { announce } from "@/ui/announce";
import { toast } from "@/ui/toast";

/** Saves what was changed of one's own profile; the header and every list that has one's name follow. Refusals are the form's to show. */
export function useSaveProfile() {
  const utils = trpc.useUtils();
  return trpc.users.updateProfile.useMutation({
    async onSuccess() {
      toast.success(USER_MESSAGES.profileSaved);
      void utils.projects.invalidate();
      void utils.users.invalidate();
      await utils.auth.me.invalidate();
    },
  });
}

/** Whether one is mailed about what stays unread. The switch follows the finger; when it could not be saved it goes back. */
export function useUnreadMail(): [isOn: boolean, set: (isOn: boolean) => void] {
  const utils = trpc.useUtils();
  const { unreadMail } = useMe();
  const [wishes, setWishes] = useState<readonly boolean[]>([]);
  const { mutate } = trpc.users.updateProfile.useMutation({
    // One after the other: the last choice is the one that holds.
    scope: { id: "unread-mail" },
    async onSuccess(_answer, { unreadMail: saved = true }) {
      await utils.auth.me.cancel();
      utils.auth.me.setData(undefined, (me) => (me ? { ...me, unreadMail: saved } : me));
    },
    onError: (error) => toast.error("Your choice could not be saved.", { description: messageOf(error) }),
    onSettled: () => setWishes((known) => known.slice(1)),
  });
  function set(wish: boolean): void {
    setWishes((known) => [...known, wish]);
    mutate({ unreadMail: wish });
  }
  return [wishes.at(-1) ?? unreadMail, set];
}

/** Sets one's own password; the server ends every other session. Refusals are the form's to show. */
export function useChangePassword() {
  const utils = trpc.useUtils();
  return trpc.auth.changePassword.useMutation({
    async onSuccess() {
      toast.success(AUTH_MESSAGES.passwordChanged, { description: "All your other sessions have ended." });
      await utils.auth.sessions.invalidate();
    },
  });
}

/** The browsers in which one is logged in, this one first, then the newest. Asked for anew at each visit. */
export function useSessions() {
  return trpc.auth.sessions.useQuery(undefined, {
    staleTime: 0,
    select: (sessions) => sessions.toSorted((one, other) => Number(other.current) - Number(one.current)),
  });
}

/** Ends one session of one's own. One that has ended by itself meanwhile is as good. */
export function useEndSession() {
  const utils = trpc.useUtils();
  const refresh = async () => {
    announce("Session ended");
    await utils.auth.sessions.invalidate();
  };
  return trpc.auth.revokeSession.useMutation({
    onSuccess: refresh,
    onError: (error) =>
      codeOf(error) === "NOT_FOUND"
        ? refresh()
        : toast.error("The session could not be ended.", { description: messageOf(error) }),
  });
}

/** Ends every session of one's own but this one. */
export function useEndOtherSessions() {
  const utils = trpc.useUtils();
  return trpc.auth.revokeOtherSessions.useMutation({
    async onSuccess({ ended }) {
      toast.success(ended === 1 ? "1 other session has ended." : `${ended} other sessions have ended.`);
      await utils.auth.sessions.invalidate();
    },
    onError: (error) => toast.error("The other sessions could not be ended.", { description: messageOf(error) }),
  });
}
