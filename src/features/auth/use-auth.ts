import type { Me } from "@server/contract/views";
import { useRouteContext, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { beginSession, endSession, resumeSession, setLeaving } from "@/lib/session";
import { notifyOtherTabs } from "@/lib/session-channel";
import { trpc } from "@/lib/trpc";
import { messageOf } from "@/lib/user-message";
import { toast } from "@/ui/toast";

/** Who is signed in; null for nobody, pending until the server has answered. */
export function useSession() {
  return trpc.auth.me.useQuery();
}

/** Who is signed in, as known now. Only on pages behind a guard. */
export function useMe(): Me {
  // Selected, as the whole context changes with every navigation, which would render each page again.
  const admitted = useRouteContext({ strict: false, select: ({ me }) => me });
  const { data } = useSession();
  const me = data ?? admitted;
  if (!me) throw new Error("useMe is for pages behind a guard.");
  return me;
}

/**
 * Signs in, then opens `wish` if it is a page of the person's own role, else their dashboard. With a second factor it answers a
 * challenge; `begin` is for whoever has passed that.
 */
export function useSignIn(wish: string | undefined) {
  const router = useRouter();
  const begin = (user: Me) => beginSession(router, user, wish);
  return { begin, ...trpc.auth.signIn.useMutation({ onSuccess: ({ user }) => user && begin(user) }) };
}

/** Signs the same person in again over a page whose session has ended. `leave` gives the page up instead. */
export function useSignInAgain() {
  const router = useRouter();
  async function resume(user: Me): Promise<void> {
    // They are about the session that ended.
    toast.clear();
    await resumeSession(router, user);
  }
  const signIn = trpc.auth.signIn.useMutation({ onSuccess: ({ user }) => user && resume(user) });
  return { signIn, resume, leave: () => void endSession(router, "signed-out") };
}

/** Redirects to Google, which redirects back: signed in, or to /login with a notice. */
export function useGoogle() {
  const google = trpc.auth.signInWithGoogle.useMutation({ onSuccess: ({ url }) => location.assign(url) });
  const { reset } = google;
  useEffect(() => {
    // Going back from Google may restore this page from the cache while it still looks busy.
    const onReturn = ({ persisted }: PageTransitionEvent) => persisted && reset();
    addEventListener("pageshow", onReturn);
    return () => removeEventListener("pageshow", onReturn);
  }, [reset]);
  return google;
}

/** Requests a reset link by email. The answer is the same for every address. */
export function useRequestReset() {
  return trpc.auth.requestPasswordReset.useMutation();
}

/** Sets a new password with a reset link. Ends every session of the account. */
export function useResetPassword() {
  const router = useRouter();
  return trpc.auth.resetPassword.useMutation({
    onSuccess() {
      dropLinkToken("reset");
      return endSession(router, "reset");
    },
  });
}

/** Requests an account, which awaits approval. Does not sign in. */
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

/** Opens the account of an invitation with a password. Does not sign in. */
export function useAcceptInvitation() {
  return trpc.auth.acceptInvitation.useMutation({ onSuccess: () => dropLinkToken("invitation") });
}

type TokenLink = "reset" | "invitation";

/** From the link that opened this page. In memory only, and removed from the address once it was read. */
const linkTokens = new Map<TokenLink, string>();

export function holdLinkToken(link: TokenLink, token: string): void {
  linkTokens.set(link, token);
}

export function heldLinkToken(link: TokenLink): string | null {
  return linkTokens.get(link) ?? null;
}

export function dropLinkToken(link: TokenLink): void {
  linkTokens.delete(link);
}
