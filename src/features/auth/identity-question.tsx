import { lazy, Suspense } from "react";
import { useProofQuestion } from "@/lib/identity-proof";

const ConfirmIdentity = lazy(() =>
  import("./confirm-identity").then((module) => ({ default: module.ConfirmIdentity })),
);

/** Asks for the password again where the server wants a fresh proof. Mount it once. */
export function IdentityQuestion() {
  const isAsked = useProofQuestion();
  return (
    isAsked && (
      <Suspense>
        <ConfirmIdentity />
      </Suspense>
    )
  );
}
