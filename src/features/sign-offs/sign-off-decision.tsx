import { SIGN_OFF_MESSAGES } from "@server/contract/messages/sign-offs";
import { signOffChanges } from "@server/contract/sign-off-changes";
import type { SignOff } from "@server/contract/views";
import { useLocation } from "@tanstack/react-router";
import { lazy, Suspense, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useMe } from "@/features/auth/use-auth";
import { Button } from "@/ui/button";
import { InlineAlert } from "@/ui/inline-alert";
import { Steady } from "@/ui/steady";
import { UnsentText } from "@/ui/unsent-text";
import { SignOffChanges } from "./sign-off-changes";
import { useIsSending } from "./use-sign-off-actions";

const load = () => import("./sign-off-answers");
const Approval = lazy(() => load().then((module) => ({ default: module.Approval })));
const ChangeRequest = lazy(() => load().then((module) => ({ default: module.ChangeRequest })));
const Withdrawal = lazy(() => load().then((module) => ({ default: module.Withdrawal })));

type DecidingProps = { signOff: SignOff; draftKey: string };

/**
 * What the reader may do with a sign-off that is asked, or why nothing. What they typed stays when it is decided or withdrawn
 * meanwhile, or may no longer be decided.
 */
export function SignOffDecision({ signOff }: { signOff: SignOff }) {
  const me = useMe();
  const isSending = useIsSending();
  const draftKey = `draft-sign-off-reason-${me.id}-${signOff.id}`;
  if (signOff.status === "asked" && signOff.canDecide) return <Deciding signOff={signOff} draftKey={draftKey} />;
  return (
    <>
      {signOff.status === "asked" && <Undecidable signOff={signOff} />}
      {!isSending && (
        <UnsentText draftKeys={[draftKey]} hint="It was not sent: the sign-off can't be decided any more." />
      )}
    </>
  );
}

function Undecidable({ signOff }: { signOff: SignOff }) {
  const me = useMe();
  const { signerId, canWithdraw, isProjectGone, record } = signOff;
  if (canWithdraw) return <Withdrawing signOff={signOff} />;
  if (me.accountType !== "client") return null;
  if (isProjectGone) return <p className="text-ink2">{SIGN_OFF_MESSAGES.projectGone}</p>;
  if (signerId === me.id) return <p className="text-ink2">{SIGN_OFF_MESSAGES.mayNotDecide}</p>;
  return (
    <p className="text-ink2">
      <bdi>{record.signer.name}</bdi> was asked. {SIGN_OFF_MESSAGES.signerOnly}
    </p>
  );
}

function Deciding({ signOff, draftKey }: DecidingProps) {
  // The portal's "Request changes" leads straight to the reason.
  const asksForChanges = useLocation({ select: ({ hash }) => hash === "request-changes" });
  const [writing, setWriting] = useState<"by-link" | "by-button" | null>(asksForChanges ? "by-link" : null);
  /** As it was when the button was pressed: the dialog's code may arrive after the work has changed. */
  const [confirming, setConfirming] = useState<SignOff | null>(null);
  const [opened] = useState(signOff);
  const changes = signOffChanges(opened.record, signOff.record);
  const approve = useRef<HTMLButtonElement>(null);
  const request = useRef<HTMLButtonElement>(null);
  function close(): void {
    flushSync(() => setWriting(null));
    request.current?.focus();
  }
  return (
    <>
      <Steady>
        {changes.length > 0 && (
          <InlineAlert tone="orange">
            <p className="mb-1">The work has changed since you opened this page:</p>
            <SignOffChanges changes={changes} label="What has changed since you opened this page" />
          </InlineAlert>
        )}
      </Steady>
      {writing ? (
        <Suspense>
          <ChangeRequest
            signOffId={signOff.id}
            draftKey={draftKey}
            takesFocus={writing === "by-button"}
            onCancel={close}
          />
        </Suspense>
      ) : (
        <div className="flex flex-wrap gap-2">
          <Button ref={approve} variant="primary" className="max-sm:flex-1" onClick={() => setConfirming(signOff)}>
            Approve
          </Button>
          <Button ref={request} className="max-sm:flex-1" onClick={() => setWriting("by-button")}>
            Request changes
          </Button>
        </div>
      )}
      {confirming && (
        <Suspense>
          <Approval seen={confirming} onClose={() => setConfirming(null)} opener={approve} />
        </Suspense>
      )}
    </>
  );
}

function Withdrawing({ signOff: { id } }: { signOff: SignOff }) {
  const [isAsking, setAsking] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  return (
    <>
      <Button ref={opener} variant="danger" className="-ms-3.5 justify-self-start" onClick={() => setAsking(true)}>
        Withdraw
      </Button>
      {isAsking && (
        <Suspense>
          <Withdrawal signOffId={id} onClose={() => setAsking(false)} opener={opener} />
        </Suspense>
      )}
    </>
  );
}
