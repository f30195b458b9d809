import { SIGN_OFF_MESSAGES } from "@server/contract/messages/sign-offs";
import { signOffPdfPath } from "@server/contract/sign-off-pdf";
import { Download, Printer } from "lucide-react";
import { codeOf, messageOf } from "@/lib/user-message";
import { Button } from "@/ui/button";
import { buttonStyle } from "@/ui/button-style";
import { Delayed } from "@/ui/delayed";
import { ErrorState } from "@/ui/error-state";
import { Skeleton } from "@/ui/skeleton";
import { SignOffDecision } from "./sign-off-decision";
import { SignOffRecord } from "./sign-off-record";
import { useSignOff, useSignOffChanges } from "./use-sign-offs";

/** One sign-off, for both sides: the record as a document, and what the reader may do. Design 3.13. */
export function SignOffPage({ signOffId }: { signOffId: string }) {
  useSignOffChanges();
  const query = useSignOff(signOffId);
  const { data, error } = query;
  return (
    <Delayed
      pending={data === undefined && query.isPending}
      label="Loading sign-off"
      skeleton={<Skeleton className="h-96" />}
    >
      {() => {
        if (codeOf(error) === "NOT_FOUND") {
          return (
            <div className="grid justify-items-center gap-3 py-12 text-center">
              <h1 tabIndex={-1} className="text-h1">
                Sign-off not available
              </h1>
              <p className="text-ink2">{SIGN_OFF_MESSAGES.notFound}</p>
            </div>
          );
        }
        if (!data) {
          return (
            <>
              <h1 tabIndex={-1} className="text-h1">
                Sign-off
              </h1>
              <ErrorState message={messageOf(error)} busy={query.isFetching} onRetry={() => void query.refetch()} />
            </>
          );
        }
        return (
          <>
            <SignOffRecord signOff={data} />
            <div className="mt-6 grid gap-6 print:hidden">
              <SignOffDecision key={data.id} signOff={data} />
              <div className="flex flex-wrap gap-2">
                <Button size="sm" icon={<Printer size={16} />} onClick={() => window.print()}>
                  Print
                </Button>
                <a href={signOffPdfPath(data.id)} download className={buttonStyle({ size: "sm" })}>
                  <Download size={16} />
                  Download PDF
                </a>
              </div>
            </div>
          </>
        );
      }}
    </Delayed>
  );
}
