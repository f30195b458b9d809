import { REQUEST_MESSAGES } from "@server/contract/messages/requests";
import type { Request } from "@server/contract/views";
import { Link } from "@tanstack/react-router";
import { ArrowLeft, MessageCircle } from "lucide-react";
import { useEffect, useRef } from "react";
import { useMe } from "@/features/auth/use-auth";
import { FileList } from "@/features/files/file-list";
import { PanelLink } from "@/features/projects/project-link";
import { TurnChip } from "@/features/turns/turn-chip";
import { homeOf } from "@/lib/landing";
import { onTop } from "@/lib/layers";
import { useNextFocus } from "@/lib/use-next-focus";
import { codeOf, messageOf } from "@/lib/user-message";
import { Avatar } from "@/ui/avatar";
import { buttonStyle } from "@/ui/button-style";
import { cardStyle } from "@/ui/card-style";
import { Chip } from "@/ui/chip";
import { Delayed } from "@/ui/delayed";
import { Dotted } from "@/ui/dotted";
import { EmptyState } from "@/ui/empty-state";
import { ErrorState } from "@/ui/error-state";
import { Moment } from "@/ui/moment";
import { ReplyForm } from "@/ui/reply-form";
import { Skeleton } from "@/ui/skeleton";
import { UnsentText } from "@/ui/unsent-text";
import { RequestDecisions } from "./request-decisions";
import { replyDraftKey, requestDraftKeys } from "./request-draft";
import { STATUS_META, turnReader, URGENCY_LABELS } from "./request-text";
import { useAnswer, useIsSending } from "./use-request-actions";
import { useRequest } from "./use-requests";

type Side = "firm" | "client";
const LINK = "text-brand-text underline underline-offset-3";

type RequestDetailProps = {
  requestId: string;
  side: Side;
  /** The client as whom an admin looks; nothing can be sent then. */
  asClientId?: string | undefined;
};

/** One request with its thread, what became of it, and what the reader may do. */
export function RequestDetail({ requestId, side, asClientId }: RequestDetailProps) {
  const query = useRequest(requestId, { asClientId });
  const { data, error } = query;
  return (
    <section aria-label="Request" className={cardStyle()}>
      <Link
        to="."
        search={(kept: object) => ({ ...kept, request: asClientId && "all" })}
        state={onTop}
        resetScroll={false}
        className={buttonStyle({ variant: "quiet", size: "sm", className: "-ms-2 mb-2 lg:hidden" })}
      >
        <ArrowLeft size={16} />
        All requests
      </Link>
      <Delayed
        pending={data === undefined && query.isPending}
        label="Loading request"
        skeleton={<Skeleton className="h-60" />}
      >
        {() => {
          if (codeOf(error) === "NOT_FOUND") return <EmptyState message={REQUEST_MESSAGES.unavailable} />;
          if (!data) {
            return (
              <ErrorState message={messageOf(error)} busy={query.isFetching} onRetry={() => void query.refetch()} />
            );
          }
          return <Content request={data} side={side} isReadOnly={asClientId !== undefined} />;
        }}
      </Delayed>
    </section>
  );
}

type ContentProps = Pick<RequestDetailProps, "side"> & { request: Request; isReadOnly: boolean };

function Content({ request, side, isReadOnly }: ContentProps) {
  const me = useMe();
  const isSending = useIsSending();
  const { tone, icon, [side]: label } = STATUS_META[request.status];
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // Opened from the list: whoever reads by ear is led there.
    if (document.activeElement?.closest('[aria-label="Requests"]')) heading.current?.focus();
  }, []);
  // The form that decided it goes away.
  useNextFocus(request.canDecide, heading);
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <Chip tone={tone} icon={icon} label={label} />
        <TurnChip turn={request.turn} reader={turnReader(request, side)} />
      </div>
      <h2 ref={heading} tabIndex={-1} dir="auto" className="mt-2 text-h3 outline-none [overflow-wrap:anywhere]">
        {request.title}
      </h2>
      <p>
        <Dotted className="mt-1 text-dense text-ink2">
          <bdi>{nameOf(request, request.createdBy)}</bdi>
          <bdi>{request.project.title}</bdi>
          <Moment at={request.createdAt} />
          <span>Urgency: {URGENCY_LABELS[request.urgency]}</span>
        </Dotted>
      </p>
      <p dir="auto" className="mt-4 max-w-[76ch] whitespace-pre-line [overflow-wrap:anywhere]">
        {request.text}
      </p>
      <FileList files={request.files} className="mt-3" />
      <Outcome request={request} />
      <Thread request={request} />
      {!isReadOnly && request.canAnswer && <AnswerForm request={request} />}
      {!isReadOnly && request.canDecide && <RequestDecisions request={request} />}
      {!request.canAnswer && !request.canDecide && !isSending && (
        <UnsentText
          draftKeys={requestDraftKeys({ userId: me.id, requestId: request.id })}
          hint="It was not sent: the request was decided or changed in the meantime."
          nextFocus={heading}
          className="mt-5 border-line border-t pt-4"
        />
      )}
    </>
  );
}

/** What it became, and where it comes from. */
function Outcome({ request }: { request: Request }) {
  const me = useMe();
  const { status, taskKey, reason, duplicateOf, duplicateOfTitle, decidedBy, decidedAt, conversationId } = request;
  return (
    <div className="mt-4 grid gap-2 text-body empty:hidden">
      {conversationId && (
        <p>
          <Link
            to={`${homeOf(me.accountType)}/messages/{-$conversationId}`}
            params={{ conversationId }}
            className={`inline-flex items-center gap-1.5 ${LINK}`}
          >
            <MessageCircle size={16} />
            From a message
          </Link>
        </p>
      )}
      {status === "accepted" && (
        <p>
          {taskKey ? (
            <>
              Task{" "}
              <PanelLink projectId={request.projectId} taskKey={taskKey} label={taskKey} className={LINK}>
                {taskKey}
              </PanelLink>
            </>
          ) : (
            "The task made from it was deleted."
          )}
        </p>
      )}
      {reason && (
        <p dir="auto" className="whitespace-pre-line [overflow-wrap:anywhere]">
          Declined: {reason}
        </p>
      )}
      {duplicateOf && (
        <p>
          Duplicate of{" "}
          <Link
            to="."
            search={(kept: object) => ({ ...kept, request: duplicateOf })}
            state={onTop}
            resetScroll={false}
            className={LINK}
          >
            {duplicateOfTitle}
          </Link>
        </p>
      )}
      {decidedBy && decidedAt && (
        <p className="text-dense text-ink2">
          <bdi>{nameOf(request, decidedBy)}</bdi>, <Moment at={decidedAt} />
        </p>
      )}
    </div>
  );
}

function Thread({ request }: { request: Request }) {
  if (request.thread.length === 0) return null;
  return (
    <ol aria-label="Questions and answers" className="mt-5 grid gap-4 border-line border-t pt-4">
      {request.thread.map(({ authorId, text, createdAt }) => {
        const author = request.people.find(({ id }) => id === authorId);
        const name = nameOf(request, authorId);
        return (
          <li key={`${authorId} ${createdAt}`} className="flex items-start gap-2.5">
            <Avatar name={name} src={author?.profileImgLink ?? null} size={28} className="mt-0.5" />
            <div className="min-w-0 flex-1">
              <p className="flex flex-wrap gap-x-2 text-ink2 text-meta">
                <bdi className="font-medium text-dense text-ink">{name}</bdi>
                <Moment at={createdAt} />
              </p>
              <p dir="auto" className="whitespace-pre-line [overflow-wrap:anywhere]">
                {text}
              </p>
            </div>
          </li>
        );
      })}
    </ol>
  );
}

function AnswerForm({ request: { id, status } }: { request: Request }) {
  const answer = useAnswer();
  const me = useMe();
  return (
    <div className="mt-5 border-line border-t pt-4">
      <ReplyForm
        draftKey={replyDraftKey("answer", { userId: me.id, requestId: id })}
        label={status === "asked" ? "Your answer" : "Add to your request"}
        submit={status === "asked" ? "Send answer" : "Send"}
        busyLabel="Sending..."
        required={REQUEST_MESSAGES.replyRequired}
        maxLength={5000}
        onSend={(text) => answer.mutateAsync({ requestId: id, text })}
      />
    </div>
  );
}

function nameOf({ people }: Request, id: string): string {
  return people.find((person) => person.id === id)?.name ?? "Unknown User";
}
