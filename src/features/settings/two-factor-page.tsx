import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { AuthLayout } from "@/features/auth/auth-layout";
import { useMe, useSignOut } from "@/features/auth/use-auth";
import { Button } from "@/ui/button";
import { TwoFactorSetup } from "./two-factor-setup";

/** /two-factor. For admins whose organisation requires a second factor that they do not have: nothing else is open to them. */
export function TwoFactorPage() {
  const { mustSetUpTwoFactor } = useMe();
  const router = useRouter();
  const signOut = useSignOut();
  // The guard of the page leads on, also when another tab has set it up.
  useEffect(() => {
    if (!mustSetUpTwoFactor) void router.invalidate();
  }, [mustSetUpTwoFactor, router]);
  return (
    <AuthLayout
      title="Set up two-factor sign-in"
      lead="Your organisation requires it for admins. Everything else opens once it is on."
    >
      <TwoFactorSetup />
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
