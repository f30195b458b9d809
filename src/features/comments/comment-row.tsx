import { COMMENT_MESSAGES } from "@server/contract/messages/comments";
import type { Comment } from "@server/contract/views";
import { Ellipsis, Pencil, Trash2 } from "lucide-react";
import { type ReactNode, type Ref, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useMe } from "@/features/auth/use-auth";
import { FileList } from "@/features/files/file-list";
import { formatInstantLong } from "@/lib/format";
import { unsentMark } from "@/lib/outbox";
import { mayTakeFocus } from "@/lib/page-focus";
import { rowAction } from "@/lib/use-row-focus";
import { ActionMenu } from "@/ui/action-menu";
import { Avatar } from "@/ui/avatar";
import { Chip } from "@/ui/chip";
import { IconButton } from "@/ui/icon-button";
import { MarkdownText } from "@/ui/markdown-text";
import { Moment } from "@/ui/moment";
import { UnsentActions } from "@/ui/unsent-actions";
import { VISIBILITY_ICONS, VISIBILITY_LABELS } from "@/ui/visibility-switch";
import { CommentEditor } from "./comment-editor";
import type { UnsentComment } from "./outbox";

type CommentRowProps = {
  comment: Comment;
  /** Null for a client, who is not to know that there are others. */
  chip: ReactNode;
  /** The reader may write here. */
  canWrite: boolean;
  onDelete: (comment: Comment) => void;
};

/** A comment with its author, its time, and for whoever may change it a menu. */
export function CommentRow({ comment, chip, canWrite, onDelete }: CommentRowProps) {
  const me = useMe();
  const [isEditing, setEditing] = useState(false);
  const { author, createdAt, editedAt, deletedAt, text } = comment;
  const isOwn = comment.authorId === me.id;
  const actions = [
    ...(isOwn ? [{ label: "Edit", icon: Pencil, onSelect: () => setEditing(true) }] : []),
    { label: "Delete", icon: Trash2, tone: "danger" as const, onSelect: () => onDelete(comment) },
  ];
  const frame = useRef<HTMLElement>(null);
  function leaveEditor(): void {
    flushSync(() => setEditing(false));
    if (!mayTakeFocus(null)) return;
    // One that was deleted meanwhile has no menu.
    const actions = frame.current?.querySelector<HTMLElement>("[data-row-action]");
    (actions ?? frame.current)?.focus({ preventScroll: true });
  }
  const hasActions = deletedAt === null && canWrite && (isOwn || me.accountType === "admin");
  return (
    <CommentFrame
      ref={frame}
      name={author.name}
      photo={author.profileImgLink}
      head={
        <>
          <Moment at={createdAt} />
          {editedAt !== null && deletedAt === null && (
            <span title={`Edited ${formatInstantLong(editedAt)}`}>edited</span>
          )}
          {deletedAt === null && chip}
        </>
      }
      menu={
        hasActions &&
        !isEditing && (
          <ActionMenu
            label={`Comment of ${author.name}`}
            trigger={<IconButton icon={Ellipsis} label="Comment actions" size="sm" {...rowAction} />}
            entries={actions}
          />
        )
      }
    >
      {isEditing && isOwn ? (
        <CommentEditor comment={comment} onDone={leaveEditor} />
      ) : deletedAt !== null ? (
        <p className="text-ink3">{COMMENT_MESSAGES.wasDeleted}</p>
      ) : (
        <>
          <MarkdownText text={text} ownId={me.id} />
          <FileList files={comment.files} className="mt-2" />
        </>
      )}
    </CommentFrame>
  );
}

type UnsentRowProps = {
  comment: UnsentComment;
  onRetry: (clientCommentId: string) => void;
  onDelete: (clientCommentId: string) => void;
  /** Undefined where nothing can be written. */
  onEdit: ((comment: UnsentComment) => void) | undefined;
  chip: ReactNode;
};

/** A comment that the server has not acknowledged; of one that it refused, why. */
export function UnsentRow({ comment, onRetry, onDelete, onEdit, chip }: UnsentRowProps) {
  const me = useMe();
  const { clientCommentId, state, text } = comment;
  const hasFailed = state !== "sending";
  const wasSending = useRef(false);
  const row = useRef<HTMLDivElement>(null);
  // It stands below what is in view, behind the composer; of one that was refused, what can be done about it.
  useEffect(() => {
    if (!hasFailed) wasSending.current = true;
    if (wasSending.current) row.current?.scrollIntoView({ block: "nearest" });
  }, [hasFailed]);
  return (
    <div ref={row} {...unsentMark(clientCommentId)}>
      <CommentFrame
        name={me.displayName}
        photo={me.profileImgLink}
        head={
          <>
            <span className={hasFailed ? "text-red" : undefined}>{hasFailed ? "Not sent" : "Sending..."}</span>
            {chip}
          </>
        }
      >
        <MarkdownText text={text} ownId={me.id} />
        <FileList files={comment.files} className="mt-2" />
        <UnsentActions
          unsent={comment}
          onEdit={onEdit && (() => onEdit(comment))}
          onRetry={() => onRetry(clientCommentId)}
          onDelete={() => onDelete(clientCommentId)}
          className="mt-1.5"
        />
      </CommentFrame>
    </div>
  );
}

/** Who can see a comment, in the words and colours of the switch. */
export function VisibilityChip({ visibility }: Pick<Comment, "visibility">) {
  return (
    <Chip
      tone={visibility === "client" ? "orange" : "grey"}
      icon={VISIBILITY_ICONS[visibility]}
      label={VISIBILITY_LABELS[visibility]}
    />
  );
}

type CommentFrameProps = {
  ref?: Ref<HTMLElement>;
  name: string;
  photo: string | null;
  head: ReactNode;
  menu?: ReactNode;
  children: ReactNode;
};

function CommentFrame({ ref, name, photo, head, menu, children }: CommentFrameProps) {
  return (
    <article ref={ref} tabIndex={-1} aria-label={`Comment of ${name}`} className="flex items-start gap-2.5">
      <Avatar name={name} src={photo} size={28} className="mt-0.5" />
      <div className="min-w-0 flex-1">
        <div className="mb-0.5 flex min-h-7 items-start gap-2">
          <div className="flex min-h-7 min-w-0 flex-1 flex-wrap items-center gap-x-2 gap-y-0.5 text-ink2 text-meta">
            <bdi className="min-w-0 truncate font-medium text-dense text-ink">{name}</bdi>
            {head}
          </div>
          {menu && <div className="-my-1 shrink-0">{menu}</div>}
        </div>
        {children}
      </div>
    </article>
  );
}

/** Above the first comment that the reader has not read. */
export function NewLine() {
  return (
    <p className="mb-3 flex items-center gap-3 text-brand-text text-meta">
      <span className="h-px flex-1 bg-brand" />
      New
      <span className="h-px flex-1 bg-brand" />
    </p>
  );
}
