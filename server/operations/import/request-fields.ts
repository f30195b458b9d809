import { REQUEST_STATUSES, REQUEST_URGENCIES } from "@db/client-enums";
import type { ImportThing } from "./document";
import { createFields, type Fields, keptId, type Take } from "./fields";
import type { Subject } from "./notes";
import type { StagedReply, stagedRequests } from "./staging";

type StagedRequest = Omit<typeof stagedRequests.$inferInsert, "place">;

interface Reading {
  fields: Fields;
  subject: Subject;
  take: Take;
  today: string;
  /** Of the replies that were read before: the first of an id stays, and those of this request are added. */
  replyIds: Set<string>;
}

/** A request as it is staged; null, and noted, for one without an author, a title or a text. */
export function requestOf(
  { id, parentId }: ImportThing,
  { fields, subject, take, today, replyIds }: Reading,
): StagedRequest | null {
  const author = fields.reference("createdBy");
  const title = fields.text(["title"], { max: 200, lines: "one" });
  const text = fields.text(["text"], { max: 5_000, lines: "many" });
  if (author === null) return refuse(fields, "createdBy", "a request needs an author");
  if (title === null) return refuse(fields, "title", "a request needs a title");
  if (text === null) return refuse(fields, "text", "a request needs a text");
  const createdAt = fields.instant(["createdAt"], { fallback: () => today });
  const status = fields.word(["status"], { words: REQUEST_STATUSES, fallback: "new", unknown: "new" });
  const isDecided = status !== "new" && status !== "asked";
  return {
    projectFileId: parentId,
    fileId: id,
    id: keptId(id, "request", parentId),
    ...{ author, title, text, status, createdAt },
    urgency: fields.word(["urgency"], { words: REQUEST_URGENCIES, fallback: "normal", unknown: "normal" }),
    turnSince: fields.instant(["turnSince"], { fallback: () => createdAt }),
    decider: isDecided ? fields.reference("decidedBy") : null,
    decidedAt: isDecided ? fields.instant(["decidedAt"], { fallback: () => createdAt }) : null,
    reason: status === "declined" ? fields.text(["reason"], { max: 2_000, lines: "many" }) : null,
    taskFileId: fields.reference("taskId"),
    duplicateOfFileId: fields.reference("duplicateOf"),
    conversationFileId: fields.reference("conversationId"),
    messageFileId: fields.reference("messageId"),
    thread: threadOf(fields, { subject, take, createdAt, replyIds }),
  };
}

function refuse(fields: Fields, field: string, why: string): null {
  fields.drop(field, fields.given(field) ?? null, why);
  return null;
}

/** What is no reply is noted, and left out. */
function threadOf(
  fields: Fields,
  { createdAt, replyIds, ...noting }: Pick<Reading, "subject" | "take" | "replyIds"> & { createdAt: string },
): StagedReply[] {
  const given = fields.given("thread") ?? [];
  if (!Array.isArray(given)) {
    fields.drop("thread", given, "it is no list");
    return [];
  }
  return given.flatMap((one: unknown, index) => {
    const reply = createFields(one, noting);
    const author = reply.reference("authorId");
    const text = reply.text(["text"], { max: 5_000, lines: "many" });
    if (author === null || text === null) {
      fields.drop("thread", one, "a reply needs an author and a text");
      return [];
    }
    const named = reply.reference("id");
    // By its place it has an id that none of the file can be.
    const scope = named === null ? "request reply by place" : "request reply";
    const id = keptId(named ?? String(index), scope, noting.subject.id);
    if (replyIds.has(id)) {
      fields.drop("thread", one, "another one in the file has that id");
      return [];
    }
    replyIds.add(id);
    const at = reply.instant(["createdAt"], { fallback: () => createdAt });
    reply.noteRest();
    return [{ id, author, text, createdAt: at }];
  });
}
