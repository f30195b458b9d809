import { CREDENTIAL_MESSAGES } from "@server/contract/messages/credentials";
import { USER_MESSAGES } from "@server/contract/messages/users";
import { useState } from "react";
import { useMe } from "@/features/auth/use-auth";
import { trpc } from "@/lib/trpc";
import { codeOf, messageOf } from "@/lib/user-message";
import { announce } from "@/ui/announce";
import { toast } from "@/ui/toast";

/** Saves changes of the person's own profile. The header and every list with their name follow. The form shows errors. */
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

/** Sets the person's own picture to an uploaded one, or to none. The caller shows errors. */
export function useSetPhoto() {
  const utils = trpc.useUtils();
  return trpc.users.setPhoto.useMutation({
    async onSuccess() {
      void utils.projects.invalidate();
      void utils.users.invalidate();
      await utils.auth.me.invalidate();
    },
  });
}

/** Whether the person gets mails about unread messages. Optimistic: the switch moves back when saving fails. */
export function useUnreadMail(): [isOn: boolean, set: (isOn: boolean) => void] {
  const utils = trpc.useUtils();
  const { unreadMail } = useMe();
  const [wishes, setWishes] = useState<readonly boolean[]>([]);
  const { mutate } = trpc.users.updateProfile.useMutation({
    // One after the other, so that the last choice wins.
    scope: { id: "unread-mail" },
    async onSuccess(_answer, { unreadMail: saved = true }) {
      await utils.auth.me.cancel();
      utils.auth.me.setData(undefined, (me) => (me ? { ...me, unreadMail: saved } : me));
      // What was cancelled may have been to bring something else that was saved.
      void utils.auth.me.invalidate();
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

/** Sets the person's own password; the server ends every other session, and API keys are sessions. The form shows errors. */
export function useChangePassword() {
  const utils = trpc.useUtils();
  return trpc.auth.changePassword.useMutation({
    async onSuccess() {
      toast.success(CREDENTIAL_MESSAGES.passwordChanged, { description: "All your other sessions have ended." });
      await Promise.all([utils.auth.sessions.invalidate(), utils.auth.apiKeys.invalidate()]);
    },
  });
}

/** The person's sessions, this one first, then the newest. Refetched on each visit. */
export function useSessions() {
  return trpc.auth.sessions.useQuery(undefined, {
    staleTime: 0,
    select: (sessions) => sessions.toSorted((one, other) => Number(other.current) - Number(one.current)),
  });
}

/** Ends one of the person's own sessions. One that has already ended counts as success. */
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

/** Ends all of the person's other sessions. */
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
