import { lazy, Suspense } from "react";
import { useProofQuestion } from "@/lib/identity-proof";

/** Fetches the code of the question. */
export const loadConfirmIdentity = () => import("./confirm-identity");
const ConfirmIdentity = lazy(() => loadConfirmIdentity().then((module) => ({ default: module.ConfirmIdentity })));

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
