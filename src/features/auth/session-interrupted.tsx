import { lazy, Suspense } from "react";
import { useInterrupted } from "@/lib/session";

const SignInAgain = lazy(() => import("./sign-in-again").then((module) => ({ default: module.SignInAgain })));

/** Asks whoever has unsaved input to sign in again in place when the session has ended. Mount it once. */
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
