import type { Visibility } from "@db/enums";
import { type TrackedEnvelope, tracked } from "@trpc/server";
import type { WatchComments } from "../contract/comments";
import type { CommentEvent, DiscussionEvent, ListedFile, Person } from "../contract/views";
import type { Actor } from "../core/context";
import { listFiles } from "../files/queries";
import { isVisibleTo } from "../projects/policy";
import { subjectNotFound } from "../projects/procedures";
import { RESYNC, type WakeUp } from "../realtime/hub";
import { catchUpPauseMs, type Source, type StreamCall, sharedRead } from "../realtime/stream";
import { audienceOf } from "./policy";
import { visibleSubject } from "./procedures";
import { type Changes, type CommentRow, findChanges, formatEventId, listNamedPeople, showComment } from "./queries";
import type { Place } from "./subjects";

/** How many of the newest comments a stream begins with without a usable id. */
const RESYNC_SIZE = 50;
const BATCH_SIZE = 100;

interface Reading {
  changes: Changes | null;
  /** Null where nobody asked, or nothing can have changed. */
  files: ListedFile[] | null;
  people: Person[] | null;
}

/**
 * Comments of a task or a project that have changed after an id, then each as it changes, by the order of their changes: created,
 * edited or deleted, as they are now. An id that is absent, malformed, of the other side or ahead of the discussion begins with the
 * newest 50. `also` adds the files beside the discussion, or the people whom it names: as they are, then whenever they are others.
 * These have no number of their own and repeat the id before them. Ends with NOT_FOUND once the actor may not see it any more.
 */
export function commentSource(
  ctx: Pick<StreamCall, "db" | "actor">,
  { subject, lastEventId, also = [] }: WatchComments,
): Source<Reading, TrackedEnvelope<DiscussionEvent>> {
  return async (subscription) => {
    const audience = audienceOf(ctx.actor);
    // Before the first read: what is written in between wakes the stream up. What clients do not see never wakes theirs.
    const topic = audience === "client" ? "client-discussion" : "discussion";
    subscription.join(`${topic}:${"taskId" in subject ? subject.taskId : subject.projectId}`);
    if (also.includes("people")) subscription.join("accounts");
    const { projectId, taskId, lastSeq, lastChange } = await visibleSubject(ctx, subject);
    const place = { projectId, taskId };
    const sight = { place, audience, actor: ctx.actor };
    const known = changeOf(lastEventId, { audience, lastChange });
    const newest = { change: 0, afterSeq: Math.max(0, lastSeq - RESYNC_SIZE) };
    let sent = known === null ? newest : { change: known, afterSeq: 0 };
    let sentFiles: string | null = null;
    const sentPeople = new Map<string, string>();
    const lastId = () => formatEventId({ audience, change: sent.change });
    return {
      first: RESYNC,
      async read(wakeUp) {
        const [files, people] = await Promise.all([
          also.includes("files") ? readFiles(ctx.db, sight) : null,
          also.includes("people") && mayRename(wakeUp) ? readPeople(ctx.db, sight) : null,
        ]);
        // Last: it says who may still see them.
        const changes = await readAfter(ctx.db, { place, audience, afterChange: sent.change, afterSeq: sent.afterSeq });
        return { changes, files, people };
      },
      *emit({ changes, files, people }, actor) {
        if (!changes || !isVisibleTo(actor, changes.involvement)) throw subjectNotFound(taskId);
        const before = sent.change;
        for (const row of changes.rows) {
          // Two reads may overlap only if a batch is shared; a change is sent once, whatever was read.
          if (row.lastChange <= sent.change) continue;
          sent = { ...sent, change: row.lastChange };
          // Only newcomers: a name that is shown already is corrected by an event of its own.
          for (const person of [row.author, ...row.mentioned])
            if (!sentPeople.has(person.id)) sentPeople.set(person.id, JSON.stringify(person));
          const event = { type: typeOf(row, before), comment: showComment(row, { viewerId: actor.id }) };
          yield tracked(lastId(), event);
        }
        // Older comments that had changed by then are not among the newest ones.
        if (sent.afterSeq > 0) sent = { change: Math.max(sent.change, lastChange), afterSeq: 0 };
        if (files && sentFiles !== JSON.stringify(files)) {
          sentFiles = JSON.stringify(files);
          yield tracked(lastId(), { type: "files", files });
        }
        const others = (people ?? []).filter((person) => sentPeople.get(person.id) !== JSON.stringify(person));
        for (const person of others) sentPeople.set(person.id, JSON.stringify(person));
        if (others.length > 0) yield tracked(lastId(), { type: "people", people: others });
      },
      readOnAfterMs: ({ changes }) => (changes?.rows.length === BATCH_SIZE ? catchUpPauseMs(changes.rows) : null),
      lastEventId: lastId,
    };
  };
}

/** Whether somebody may have another name or picture since. */
function mayRename({ subjects, resync }: WakeUp): boolean {
  return resync || [...subjects].some((subject) => subject.startsWith("account:"));
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

interface Sight {
  place: Place;
  audience: Visibility;
  actor: Actor;
}
/** The same for everybody on that side. */
const sightOf = ({ place, audience }: Sight) => `${place.taskId ?? place.projectId} ${audience}`;
const readPeople = sharedRead((db, sight: Sight) => listNamedPeople(db, sight), sightOf);
const readFiles = sharedRead((db, { place, actor }: Sight) => listFiles(db, { subject: place, actor }), sightOf);
