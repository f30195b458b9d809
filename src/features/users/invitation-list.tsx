import { ACCOUNT_TYPE_LABELS } from "@server/contract/labels";
import { INVITATION_MESSAGES } from "@server/contract/messages/invitations";
import type { Invitation } from "@server/contract/views";
import { Clock, Mail, TriangleAlert } from "lucide-react";
import { useRef, useState } from "react";
import { formatDate, formatInstantLong } from "@/lib/format";
import { rowAction, rowMark, useRowFocus } from "@/lib/use-row-focus";
import { Button } from "@/ui/button";
import { cardStyle } from "@/ui/card-style";
import { Chip } from "@/ui/chip";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { EmptyState } from "@/ui/empty-state";
import { PagedList } from "@/ui/paged-list";
import { Skeleton } from "@/ui/skeleton";
import { useInvitations, useResendInvitation, useWithdrawInvitation } from "./use-invitations";

/** Open invitations: whom, as what, by whom and until when; each can be resent or withdrawn. */
export function InvitationList({ onInvite }: { onInvite: () => void }) {
  const list = useInvitations();
  const withdraw = useWithdrawInvitation();
  const [asked, setAsked] = useState<Invitation | null>(null);
  const section = useRef<HTMLDivElement>(null);
  const focusTarget = useRowFocus(section, { rows: list.items });
  return (
    <div ref={section}>
      <PagedList
        list={list}
        label="Loading invitations"
        skeleton={<Skeleton className="h-[84px] w-full rounded-card" />}
        empty={
          <EmptyState
            icon={Mail}
            message="No open invitations"
            action={<Button onClick={onInvite}>Invite people</Button>}
          />
        }
      >
        {(invitations) => (
          <ul aria-label="Invitations" className="grid grid-cols-1 gap-3">
            {invitations.map((invitation) => (
              <InvitationCard key={invitation.id} invitation={invitation} onWithdraw={setAsked} />
            ))}
          </ul>
        )}
      </PagedList>
      <ConfirmDialog
        open={asked !== null}
        onOpenChange={() => setAsked(null)}
        title="Withdraw invitation"
        question={INVITATION_MESSAGES.confirmWithdraw}
        confirmLabel="Withdraw"
        busyLabel="Withdrawing..."
        busy={withdraw.isPending}
        onConfirm={() => asked && withdraw.mutate({ invitationId: asked.id }, { onSettled: () => setAsked(null) })}
        finalFocus={focusTarget}
      >
        <p className="font-semibold">{asked?.name}</p>
        <p className="text-dense text-ink2 [overflow-wrap:anywhere]">{asked?.email}</p>
      </ConfirmDialog>
    </div>
  );
}

type InvitationCardProps = { invitation: Invitation; onWithdraw: (invitation: Invitation) => void };

function InvitationCard({ invitation, onWithdraw }: InvitationCardProps) {
  const { id, name, email, accountType, projects } = invitation;
  const resend = useResendInvitation();
  return (
    <li
      {...rowMark(id)}
      className={`${cardStyle()} flex flex-wrap items-center gap-x-4 gap-y-3 [content-visibility:auto] [contain-intrinsic-height:auto_84px]`}
    >
      <div className="min-w-0 flex-1 basis-72">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 font-medium [overflow-wrap:anywhere]">
          <bdi>{name}</bdi>
          <Validity invitation={invitation} />
        </p>
        <p className="text-dense text-ink2 [overflow-wrap:anywhere]">
          {ACCOUNT_TYPE_LABELS[accountType]}, {email}
        </p>
        {projects.length > 0 && (
          <p className="mt-1 text-dense text-ink2 [overflow-wrap:anywhere]">
            Projects: {projects.map(({ title }) => title).join(", ")}
          </p>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          {...rowAction}
          size="sm"
          busy={resend.isPending}
          busyLabel="Sending..."
          onClick={() => resend.mutate({ invitationId: id })}
        >
          <span>
            Resend<span className="sr-only"> the invitation to {name}</span>
          </span>
        </Button>
        <Button size="sm" variant="danger" onClick={() => onWithdraw(invitation)}>
          <span>
            Withdraw<span className="sr-only"> the invitation to {name}</span>
          </span>
        </Button>
      </div>
    </li>
  );
}

/** Until when the link works, or why it does not any more. */
function Validity({ invitation: { isValid, expiresAt, invitedBy } }: Pick<InvitationCardProps, "invitation">) {
  const by = invitedBy ? `, invited by ${invitedBy.name}` : "";
  if (isValid)
    return (
      <span className="inline-flex flex-wrap items-center gap-x-1.5 font-normal text-dense text-ink2">
        <Clock size={14} />
        <span>
          valid until{" "}
          <time dateTime={expiresAt} title={formatInstantLong(expiresAt)}>
            {formatDate(expiresAt)}
          </time>
          {by}
        </span>
      </span>
    );
  const hasExpired = new Date(expiresAt).valueOf() <= Date.now();
  return (
    <Chip
      tone="orange"
      icon={TriangleAlert}
      label={hasExpired ? "Expired" : `${invitedBy?.name ?? "The inviter"} is no longer an admin: resend`}
      className="max-md:h-auto max-md:min-h-6 max-md:shrink max-md:whitespace-normal"
    />
  );
}
