import { SIGN_OFF_MESSAGES } from "@server/contract/messages/sign-offs";
import { signOffChanges } from "@server/contract/sign-off-changes";
import type { SignOff, SignOffChange } from "@server/contract/views";
import { type RefObject, useState } from "react";
import { useMe } from "@/features/auth/use-auth";
import { messageOf, reasonOf } from "@/lib/user-message";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { InlineAlert } from "@/ui/inline-alert";
import { ReplyForm } from "@/ui/reply-form";
import { toast } from "@/ui/toast";
import { SignOffChanges } from "./sign-off-changes";
import { useApprove, useReloadSignOff, useRequestChanges, useWithdraw } from "./use-sign-off-actions";

const MAX_REASON_LENGTH = 2_000;

type ApprovalProps = { seen: SignOff; onClose: () => void; opener: RefObject<HTMLButtonElement | null> };

/**
 * Asks before it is signed. What is signed is what stood on the page when the dialog opened; when the work has changed since, it says
 * what, and asks again.
 */
export function Approval({ seen, onClose, opener }: ApprovalProps) {
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
  function refuse(error: unknown): void {
    toast.error(SIGN_OFF_MESSAGES.approveFailed, { description: messageOf(error) });
    onClose();
  }
  function sign(): void {
    approve.mutate(
      { signOffId: signOff.id, seenVersion: signOff.version },
      {
        onSuccess: onClose,
        onError: (error) => {
          if (reasonOf(error) === "stale-version") void showChanges().catch(refuse);
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
      question={changes.length > 0 ? SIGN_OFF_MESSAGES.stale : `You sign as ${me.displayName}. This can't be undone.`}
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

type ChangeRequestProps = { signOffId: string; draftKey: string; takesFocus: boolean; onCancel: () => void };

/** What needs to change. The text stays in this tab until it is saved. */
export function ChangeRequest({ signOffId, ...form }: ChangeRequestProps) {
  const requestChanges = useRequestChanges();
  return (
    <ReplyForm
      {...form}
      label="What needs to change?"
      submit="Request changes"
      busyLabel="Sending..."
      required={SIGN_OFF_MESSAGES.reasonRequired}
      maxLength={MAX_REASON_LENGTH}
      onSend={(reason) => requestChanges.mutateAsync({ signOffId, reason })}
    />
  );
}

type WithdrawalProps = { signOffId: string; onClose: () => void; opener: RefObject<HTMLButtonElement | null> };

/** Asks before the question is taken back. */
export function Withdrawal({ signOffId, onClose, opener }: WithdrawalProps) {
  const withdraw = useWithdraw();
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Withdraw sign-off"
      question={SIGN_OFF_MESSAGES.confirmWithdraw}
      confirmLabel="Withdraw"
      busyLabel="Withdrawing..."
      busy={withdraw.isPending}
      onConfirm={() => withdraw.mutate({ signOffId }, { onSettled: onClose })}
      finalFocus={opener}
    />
  );
}
