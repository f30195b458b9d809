import { lazy, Suspense } from "react";
import { useInterrupted } from "@/lib/session";

const SignInAgain = lazy(() => import("./sign-in-again").then((module) => ({ default: module.SignInAgain })));

/** Over every page: asks whoever is in the middle of typing to sign in again when the session has ended. Mount it once. */
export function SessionInterrupted() {
  const me = useInterrupted();
  return (
    me && (
      <Suspense>
        <SignInAgain key={me.id} email={me.email} />
      </Suspense>
    )
  );
}
