import { getRouteApi, useRouter } from "@tanstack/react-router";
import { AuthLayout } from "@/features/auth/auth-layout";
import { useMe, useSignOut } from "@/features/auth/use-auth";
import { landingOf } from "@/lib/landing";
import { Button } from "@/ui/button";
import { TwoFactorSetup } from "./two-factor-setup";

const route = getRouteApi("/two-factor");

/** /two-factor. For admins whose organisation requires a second factor that they do not have: nothing else is open to them. */
export function TwoFactorPage() {
  const { redirect } = route.useSearch();
  const { accountType } = useMe();
  const router = useRouter();
  const signOut = useSignOut();
  return (
    <AuthLayout
      title="Set up two-factor sign-in"
      lead="Your organisation requires it for admins. Everything else opens once it is on."
    >
      <TwoFactorSetup onDone={() => void router.navigate({ href: landingOf(accountType, redirect), replace: true })} />
      <Button
        variant="quiet"
        wide
        className="mt-6"
        busy={signOut.isPending}
        busyLabel="Logging out..."
        onClick={() => signOut.mutate()}
      >
        Logout
      </Button>
    </AuthLayout>
  );
}
