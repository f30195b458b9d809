import type { Me } from "@server/contract/views";
import { useRouteContext, useRouter } from "@tanstack/react-router";
import { beginSession, endSession } from "@/lib/session";
import { tellOtherTabs } from "@/lib/session-channel";
import { trpc } from "@/lib/trpc";
import { messageOf } from "@/lib/user-message";
import { toast } from "@/ui/toast";

/** Whether anybody is signed in: null for nobody, pending until the server has said. */
export function useSession() {
  return trpc.auth.me.useQuery();
}

/** Who is signed in, as known now. Only on pages behind a guard. */
export function useMe(): Me {
  const { me: admitted } = useRouteContext({ strict: false });
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

/** Asks for an account; it awaits approval, so nobody is signed in by it. */
export function useSignUp() {
  return trpc.auth.signUp.useMutation();
}

/** Signs out here and in the other tabs, then shows /login. */
export function useSignOut() {
  const router = useRouter();
  return trpc.auth.signOut.useMutation({
    async onSuccess() {
      tellOtherTabs(null);
      await endSession(router);
    },
    onError: (error) => toast.error("You are still logged in.", { description: messageOf(error) }),
  });
}
