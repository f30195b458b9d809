import { SIGN_OFF_MESSAGES } from "@server/contract/messages/sign-offs";
import { signOffChanges } from "@server/contract/sign-off-changes";
import type { SignOff, SignOffChange } from "@server/contract/views";
import { type RefObject, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useMe } from "@/features/auth/use-auth";
import { ReplyForm } from "@/features/requests/reply-form";
import { reasonOf } from "@/lib/user-message";
import { Button } from "@/ui/button";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { InlineAlert } from "@/ui/inline-alert";
import { SignOffChanges } from "./sign-off-changes";
import { useApprove, useReloadSignOff, useRequestChanges, useWithdraw } from "./use-sign-offs";

const MAX_REASON_LENGTH = 2_000;

/** What the reader may do with a sign-off that is asked, or why nothing. Nothing once it is decided. */
export function SignOffDecision({ signOff }: { signOff: SignOff }) {
  const me = useMe();
  const { status, signerId, canDecide, canWithdraw, isProjectGone, record } = signOff;
  if (status !== "asked") return null;
  if (canDecide) return <Deciding signOff={signOff} />;
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

function Deciding({ signOff }: { signOff: SignOff }) {
  const [isWriting, setWriting] = useState(false);
  const [isConfirming, setConfirming] = useState(false);
  const [opened] = useState(signOff);
  const changes = signOffChanges(opened.record, signOff.record);
  const requestChanges = useRequestChanges();
  const approve = useRef<HTMLButtonElement>(null);
  const request = useRef<HTMLButtonElement>(null);
  function close(): void {
    flushSync(() => setWriting(false));
    request.current?.focus();
  }
  return (
    <>
      {changes.length > 0 && (
        <InlineAlert tone="orange">
          <p className="mb-1">The work has changed since you opened this page:</p>
          <SignOffChanges changes={changes} label="What has changed since you opened this page" />
        </InlineAlert>
      )}
      {isWriting ? (
        <ReplyForm
          subjectId={signOff.id}
          label="What is to be changed?"
          submit="Request changes"
          busyLabel="Sending..."
          required={SIGN_OFF_MESSAGES.reasonRequired}
          maxLength={MAX_REASON_LENGTH}
          onSend={(reason) => requestChanges.mutateAsync({ signOffId: signOff.id, reason })}
          onCancel={close}
        />
      ) : (
        <div className="flex flex-wrap gap-2">
          <Button ref={approve} variant="primary" className="max-sm:flex-1" onClick={() => setConfirming(true)}>
            Approve
          </Button>
          <Button ref={request} className="max-sm:flex-1" onClick={() => setWriting(true)}>
            Request changes
          </Button>
        </div>
      )}
      {isConfirming && <Approval seen={signOff} onClose={() => setConfirming(false)} opener={approve} />}
    </>
  );
}

type ApprovalProps = { seen: SignOff; onClose: () => void; opener: RefObject<HTMLButtonElement | null> };

/**
 * Asks before it is signed. What is signed is what stood on the page when the dialog opened; when the work has changed since, it says
 * what, and asks again.
 */
function Approval({ seen, onClose, opener }: ApprovalProps) {
  const me = useMe();
  const approve = useApprove();
  const reload = useReloadSignOff();
  // Not the live one: that may be another by now, which nobody has looked at.
  const [{ signOff, changes }, show] = useState<{ signOff: SignOff; changes: SignOffChange[] }>({
    signOff: seen,
    changes: [],
  });
  const [isReading, setReading] = useState(false);
  async function showChanges(): Promise<void> {
    setReading(true);
    try {
      const current = await reload(signOff.id);
      show({ signOff: current, changes: signOffChanges(signOff.record, current.record) });
    } finally {
      setReading(false);
    }
  }
  function sign(): void {
    approve.mutate(
      { signOffId: signOff.id, seenVersion: signOff.version },
      {
        onSuccess: onClose,
        onError: (error) => {
          if (reasonOf(error) === "stale-version") void showChanges().catch(onClose);
          else onClose();
        },
      },
    );
  }
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={changes.length > 0 ? "The work has changed" : "Approve"}
      question={
        changes.length > 0 ? SIGN_OFF_MESSAGES.stale : `You sign as ${me.displayName}. This can't be taken back.`
      }
      confirmLabel={changes.length > 0 ? "Approve as it is now" : "Approve"}
      busyLabel="Approving..."
      busy={approve.isPending || isReading}
      tone="primary"
      onConfirm={sign}
      finalFocus={opener}
    >
      {changes.length > 0 && (
        <InlineAlert tone="orange">
          <SignOffChanges changes={changes} label="What has changed" />
        </InlineAlert>
      )}
    </ConfirmDialog>
  );
}

function Withdrawing({ signOff: { id } }: { signOff: SignOff }) {
  const [isAsking, setAsking] = useState(false);
  const withdraw = useWithdraw();
  const opener = useRef<HTMLButtonElement>(null);
  return (
    <>
      <Button ref={opener} variant="danger" className="justify-self-start" onClick={() => setAsking(true)}>
        Withdraw
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Withdraw sign-off"
        question={SIGN_OFF_MESSAGES.confirmWithdraw}
        confirmLabel="Withdraw"
        busyLabel="Withdrawing..."
        busy={withdraw.isPending}
        onConfirm={() => withdraw.mutate({ signOffId: id }, { onSettled: () => setAsking(false) })}
        finalFocus={opener}
      />
    </>
  );
}
