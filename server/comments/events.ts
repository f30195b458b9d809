import type { Visibility } from "@db/enums";
import { type TrackedEnvelope, tracked } from "@trpc/server";
import type { Subject } from "../contract/subjects";
import type { CommentEvent } from "../contract/views";
import { isVisibleTo } from "../projects/policy";
import { catchUpPauseMs, type Source, type StreamCall, sharedRead } from "../realtime/stream";
import { RESYNC } from "../realtime/subscription";
import { audienceOf } from "./policy";
import { subjectNotFound, visibleSubject } from "./procedures";
import { type Changes, type CommentRow, findChanges, formatEventId, showComment } from "./queries";
import type { Place } from "./subjects";

/** How many of the newest comments a stream begins with without a usable id. */
const RESYNC_SIZE = 50;
const BATCH_SIZE = 100;

/**
 * Comments of a task or a project that have changed after an id, then each as it changes, by the order of their changes: created,
 * edited or deleted, as they are now. An id that is absent, malformed, of the other side or ahead of the discussion begins with the
 * newest 50. Ends with NOT_FOUND once the actor may not see it any more.
 */
export function commentSource(
  ctx: Pick<StreamCall, "db" | "actor">,
  { subject, lastEventId }: { subject: Subject; lastEventId?: string | null | undefined },
): Source<Changes | null, TrackedEnvelope<CommentEvent>> {
  return async (subscription) => {
    const audience = audienceOf(ctx.actor);
    // Before the first read: what is written in between wakes the stream up. What clients do not see never wakes theirs.
    const topic = audience === "client" ? "client-discussion" : "discussion";
    subscription.join(`${topic}:${"taskId" in subject ? subject.taskId : subject.projectId}`);
    const { projectId, taskId, lastSeq, lastChange } = await visibleSubject(ctx, subject);
    const place = { projectId, taskId };
    const known = changeOf(lastEventId, { audience, lastChange });
    const newest = { change: 0, afterSeq: Math.max(0, lastSeq - RESYNC_SIZE) };
    let sent = known === null ? newest : { change: known, afterSeq: 0 };
    return {
      first: RESYNC,
      read: () => readAfter(ctx.db, { place, audience, afterChange: sent.change, afterSeq: sent.afterSeq }),
      *emit(changes, actor) {
        if (!changes || !isVisibleTo(actor, changes.involvement)) throw subjectNotFound(taskId);
        const before = sent.change;
        for (const row of changes.rows) {
          // Two reads may overlap only if a batch is shared; a change is sent once, whatever was read.
          if (row.lastChange <= sent.change) continue;
          sent = { ...sent, change: row.lastChange };
          const event = { type: typeOf(row, before), comment: showComment(row, { viewerId: actor.id }) };
          yield tracked(formatEventId({ audience, change: row.lastChange }), event);
        }
        // Older comments that had changed by then are not among the newest ones.
        if (sent.afterSeq > 0) sent = { change: Math.max(sent.change, lastChange), afterSeq: 0 };
      },
      readOnAfterMs: (changes) => (changes?.rows.length === BATCH_SIZE ? catchUpPauseMs(changes.rows) : null),
      lastEventId: () => formatEventId({ audience, change: sent.change }),
    };
  };
}

/** The last change that the caller has received; null where the id says none of this side's. */
function changeOf(
  lastEventId: string | null | undefined,
  { audience, lastChange }: { audience: Visibility; lastChange: number },
): number | null {
  const prefix = formatEventId({ audience, change: 0 }).slice(0, -1);
  const digits = lastEventId?.startsWith(prefix) ? lastEventId.slice(prefix.length) : "";
  const change = /^\d{1,15}$/.test(digits) ? Number(digits) : Number.POSITIVE_INFINITY;
  return change <= lastChange ? change : null;
}

/** What has become of a comment, for whoever was sent every change up to that number. */
function typeOf({ createdChange, deletedAt }: CommentRow, sentChange: number): CommentEvent["type"] {
  if (createdChange > sentChange) return "created";
  return deletedAt === null ? "edited" : "deleted";
}

interface Cursor {
  place: Place;
  audience: Visibility;
  afterChange: number;
  afterSeq: number;
}

const readAfter = sharedRead(
  (db, cursor: Cursor) => findChanges(db, { ...cursor, limit: BATCH_SIZE }),
  ({ place, ...cursor }) => [place.taskId ?? place.projectId, ...Object.values(cursor)].join(" "),
);
