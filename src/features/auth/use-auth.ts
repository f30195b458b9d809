import type { Me } from "@server/contract/views";
import { useRouteContext, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { beginSession, endSession, resumeSession, setLeaving } from "@/lib/session";
import { notifyOtherTabs } from "@/lib/session-channel";
import { trpc } from "@/lib/trpc";
import { messageOf } from "@/lib/user-message";
import { toast } from "@/ui/toast";

/** Whether anybody is signed in: null for nobody, pending until the server has said. */
export function useSession() {
  return trpc.auth.me.useQuery();
}

/** Who is signed in, as known now. Only on pages behind a guard. */
export function useMe(): Me {
  // Chosen, not taken from the whole: each change of the address makes a context of its own, and a page anew of each.
  const admitted = useRouteContext({ strict: false, select: ({ me }) => me });
  const { data } = useSession();
  const me = data ?? admitted;
  if (!me) throw new Error("useMe is for pages behind a guard.");
  return me;
}

/** Signs in and goes to the wished page of the own role, else to the own dashboard. */
export function useSignIn(wish: string | undefined) {
  const router = useRouter();
  return trpc.auth.signIn.useMutation({ onSuccess: ({ user }) => beginSession(router, user, wish) });
}

/** Signs in over a page whose session has ended, for the same person; `leave` gives the page up instead. */
export function useSignInAgain() {
  const router = useRouter();
  const signIn = trpc.auth.signIn.useMutation({
    onSuccess({ user }) {
      // They told that the session was over.
      toast.clear();
      return resumeSession(router, user);
    },
  });
  return { signIn, leave: () => void endSession(router, "signed-out") };
}

/** Leads to Google, which leads back: signed in, or to /login with a notice. */
export function useGoogle() {
  const google = trpc.auth.signInWithGoogle.useMutation({ onSuccess: ({ url }) => window.location.assign(url) });
  const { reset } = google;
  useEffect(() => {
    // By Back from Google the browser may bring this page back as it was left: at work.
    const onReturn = ({ persisted }: PageTransitionEvent) => persisted && reset();
    window.addEventListener("pageshow", onReturn);
    return () => window.removeEventListener("pageshow", onReturn);
  }, [reset]);
  return google;
}

/** Asks for the mail with the reset link; the answer is the same for every address. */
export function useRequestReset() {
  return trpc.auth.requestPasswordReset.useMutation();
}

/** Sets a new password by a reset link. Every session of that account ends, so that one logs in anew. */
export function useResetPassword() {
  const router = useRouter();
  return trpc.auth.resetPassword.useMutation({
    onSuccess() {
      dropResetToken();
      return endSession(router, "reset");
    },
  });
}

/** Asks for an account; it awaits approval, so nobody is signed in by it. */
export function useSignUp() {
  return trpc.auth.signUp.useMutation();
}

/** Signs out here and in the other tabs, then shows /login. */
export function useSignOut() {
  const router = useRouter();
  return trpc.auth.signOut.useMutation({
    onMutate: () => setLeaving(true),
    async onSuccess() {
      notifyOtherTabs(null);
      await endSession(router);
    },
    onError(error) {
      setLeaving(false);
      toast.error("You are still logged in.", { description: messageOf(error) });
    },
  });
}

/** Confirms an address by the link that was sent to it. Does not sign in. */
export function useConfirmEmail() {
  return trpc.auth.confirmEmail.useMutation();
}

/** Sends another confirmation link. The answer is the same for every address. */
export function useResendConfirmation() {
  return trpc.auth.resendConfirmation.useMutation();
}

/** From the reset link that opened this page. In memory only, and removed from the address once it was read. */
let resetToken: string | null = null;

export function holdResetToken(token: string): void {
  resetToken = token;
}

export function heldResetToken(): string | null {
  return resetToken;
}

export function dropResetToken(): void {
  resetToken = null;
}
