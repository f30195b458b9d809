import { PROJECT_HEALTHS } from "@db/client-enums";
import { MESSAGE_KINDS, VISIBILITIES } from "@db/enums";
import type { PgTable } from "drizzle-orm/pg-core";
import * as z from "zod/mini";
import { emailSchema } from "../../contract/accounts";
import { composed } from "../../contract/files";
import { instantSchema } from "../../contract/instants";
import { MAX_STATUS_TEXT } from "../../contract/status-updates";
import type { ImportRecord, ImportThing } from "./document";
import { createFields, type Fields, keptId, type Take } from "./fields";
import { type Subject, unmatched } from "./notes";
import { personOf } from "./person-fields";
import { requestOf } from "./request-fields";
import { signOffOf } from "./sign-off-fields";
import type { Stager } from "./stager";
import {
  stagedComments,
  stagedConversations,
  stagedFiles,
  stagedMembers,
  stagedMessages,
  stagedPeople,
  stagedProjects,
  stagedRequests,
  stagedSignOffs,
  stagedStatusUpdates,
  stagedTasks,
  stagedTemplates,
} from "./staging";
import { templateOf } from "./template-fields";
import { projectOf, taskOf } from "./work-fields";

const positionSchema = z.int().check(z.gte(0), z.lte(1_000));
const MAX_NAME = 255;
const memberSchema = z.object({ name: z.string(), email: z.nullable(z.string()) });

/**
 * Stages the records of a file in their order. `today` stands for a moment that nothing is known of: the day of the import, so that
 * a run that only tells and a run that imports say the same. `timeZone` is the organisation's: whose days the moments are.
 */
export function createRecords({
  stager,
  take,
  today,
  timeZone,
}: {
  stager: Stager;
  take: Take;
  today: string;
  timeZone: string;
}) {
  let place = 0;
  let isOwnExport = false;
  /** The conversation that messages are being read of, and the time of its last one. */
  let present: { conversation: string; at: string | null } = { conversation: "", at: null };
  const replyIds = new Set<string>();

  async function stage(record: ImportRecord): Promise<void> {
    place += 1;
    if (record.kind === "left-out") return take(record.note);
    if (record.kind === "own-export") {
      isOwnExport = true;
      return;
    }
    if (record.kind === "member") return stageMember(record);
    const { kind, id, parentId, value } = record;
    const subject: Subject = { kind, id: parentId === "" ? id : `${parentId}/${id}` };
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return take(unmatched(subject, "", value, "it is no object"));
    }
    const fields = createFields(value, { subject, take });
    switch (kind) {
      case "user":
        return stagePerson(record, fields, subject);
      case "project":
        return add(fields, stagedProjects, { place, ...projectOf(record, fields, { today, timeZone }) });
      case "task":
        return add(fields, stagedTasks, { place, ...taskOf(record, fields, { today, timeZone }) });
      case "comment":
        return stageComment(record, fields);
      case "status update":
        return stageStatusUpdate(record, fields);
      case "template":
        return add(fields, stagedTemplates, { place, ...templateOf(record, fields, today) });
      case "request":
        return stageRequest(record, fields, subject);
      case "conversation":
        return stageConversation(record, fields);
      case "message":
        return stageMessage(record, fields, subject);
      case "sign-off":
        return stageSignOff(record, fields, subject);
      case "file":
        return stageFile(record, fields);
    }
  }

  /** With a note of what was not asked for. */
  function add<Table extends PgTable>(fields: Fields, table: Table, row: Table["$inferInsert"]): Promise<void> {
    fields.noteRest();
    return stager.add(table, row);
  }

  async function stageMember({ id, value }: ImportThing): Promise<void> {
    await stager.add(stagedMembers, { place, fileId: id, ...memberSchema.parse(value) });
  }

  async function stagePerson({ id }: ImportThing, fields: Fields, subject: Subject): Promise<void> {
    if (fields.given("token") !== undefined) {
      // The value is a secret: it stands nowhere.
      take(unmatched(subject, "token", null, "the organisation has one token, which an admin sets in Settings"));
    }
    const given = fields.given("email");
    const email = emailSchema.safeParse(typeof given === "string" ? fields.stored("email", given) : given);
    if (!email.success) return fields.drop("email", given ?? null, "nobody is imported without an email");
    await add(fields, stagedPeople, {
      place,
      fileId: id,
      email: email.data,
      ...personOf(id, email.data, fields, today),
    });
  }

  async function stageComment({ id, parentId }: ImportThing, fields: Fields): Promise<void> {
    const authorName = fields.text(["authorName"], { max: 100, lines: "one" });
    const author = fields.reference("authorId") ?? authorName;
    const deletedAt = fields.instant(["deletedAt"], { fallback: () => null });
    const text = fields.text(["text"], { max: 10_000, lines: "many" });
    if (author === null) return fields.drop("authorId", null, "a comment needs an author");
    if (text === null && deletedAt === null) return fields.drop("text", null, "a comment needs a text");
    await add(fields, stagedComments, {
      place,
      projectFileId: parentId,
      taskFileId: fields.reference("taskId"),
      fileId: id,
      id: keptId(id, "comment", parentId),
      author,
      authorName,
      // What is not said to be for clients is not shown to them.
      visibility: fields.word(["visibility"], { words: VISIBILITIES, fallback: "team", unknown: "team" }),
      text: deletedAt === null ? (text ?? "") : "",
      createdAt: fields.instant(["createdAt"], { fallback: () => today }),
      editedAt: fields.instant(["editedAt"], { fallback: () => null }),
      deletedAt,
    });
  }

  async function stageStatusUpdate({ id, parentId }: ImportThing, fields: Fields): Promise<void> {
    const author = fields.reference("authorId");
    const text = fields.text(["text"], { max: MAX_STATUS_TEXT, lines: "many" });
    if (author === null) return fields.drop("authorId", null, "a status update needs an author");
    if (text === null) return fields.drop("text", null, "a status update needs a text");
    await add(fields, stagedStatusUpdates, {
      place,
      projectFileId: parentId,
      fileId: id,
      id: keptId(id, "status update", parentId),
      author,
      health: fields.word(["health"], { words: PROJECT_HEALTHS, fallback: "on-track", unknown: "at-risk" }),
      text,
      sentAt: fields.instant(["sentAt"], { fallback: () => today }),
      upTo: fields.instant(["upTo"], { fallback: () => null }),
    });
  }

  async function stageRequest(record: ImportThing, fields: Fields, subject: Subject): Promise<void> {
    const request = requestOf(record, { fields, subject, take, today, replyIds });
    if (request) await add(fields, stagedRequests, { place, ...request });
  }

  async function stageSignOff(record: ImportThing, fields: Fields, subject: Subject): Promise<void> {
    const signOff = signOffOf(record, { fields, subject, take, today });
    if (signOff) await add(fields, stagedSignOffs, { place, ...signOff });
  }

  async function stageConversation({ id }: ImportThing, fields: Fields): Promise<void> {
    await add(fields, stagedConversations, {
      place,
      fileId: id,
      id: keptId(id, "conversation"),
      participants: fields.references("participants"),
      covered: fields.reference("coveredUserId"),
      cover: fields.reference("coverUserId"),
      // Unlike the other moments it is one to come.
      coverUntil: fields.checked(["coverUntil"], instantSchema)?.toISOString() ?? null,
      createdAt: fields.instant(["createdAt"], { fallback: () => null }),
      updatedAt: fields.instant(["updatedAt"], { fallback: () => null }),
    });
  }

  /** The task that a message became. */
  function linkOf(given: unknown, subject: Subject) {
    const link = createFields(given, { subject, take });
    const [projectFileId, taskFileId] = [link.reference("projectId"), link.reference("taskId")];
    return {
      ...{ projectFileId, taskFileId },
      linkedBy: link.reference("createdBy"),
      linkedAt: link.instant(["createdAt"], { fallback: () => (taskFileId === null ? null : today) }),
      announcedAt: link.instant(["announcedAt"], { fallback: () => null }),
    };
  }

  /** Who said that nothing up to a message needs a reply. */
  function settlementOf(given: unknown, subject: Subject) {
    const settled = createFields(given, { subject, take });
    const settledBy = settled.reference("settledBy");
    return {
      settledBy,
      settledAt: settled.instant(["settledAt"], { fallback: () => (settledBy === null ? null : today) }),
    };
  }

  async function stageMessage({ id, parentId }: ImportThing, fields: Fields, subject: Subject): Promise<void> {
    if (present.conversation !== parentId) present = { conversation: parentId, at: null };
    const text = fields.text(["text"], { max: 4000, lines: "many" });
    const sender = fields.reference("senderId");
    if (text === null) return fields.drop("text", fields.given("text") ?? null, "a message needs a text");
    if (sender === null) return fields.drop("senderId", null, "a message needs a sender");
    const last = present.at;
    const next = () => (last === null ? null : new Date(Date.parse(last) + 1).toISOString());
    const at = fields.instant(["timestamp"], { fallback: next });
    if (fields.given("timestamp") === undefined && at !== null) {
      fields.change("timestamp", null, at, "it had none and stands after the message before it");
    }
    present.at = at;
    await add(fields, stagedMessages, {
      place,
      conversationFileId: parentId,
      fileId: id,
      id: keptId(id, "message", parentId),
      sender,
      text,
      at,
      isRead: fields.flag("read") ?? false,
      kind: fields.word(["kind"], { words: MESSAGE_KINDS, fallback: "text", unknown: "text" }),
      ...linkOf(fields.given("task"), subject),
      ...settlementOf(fields.given("settled"), subject),
    });
  }

  async function stageFile({ id }: ImportThing, fields: Fields): Promise<void> {
    const name = fields.text(["name"], { max: MAX_NAME, lines: "one" });
    const path = fields.given("path");
    if (name === null) return fields.drop("name", null, "a file needs a name");
    if (typeof path !== "string") return fields.drop("path", path, "it says where the file is in the zip");
    const createdAt = fields.instant(["createdAt"], { fallback: () => today });
    await add(fields, stagedFiles, {
      place,
      fileId: id,
      id: keptId(id, "file"),
      // A few letters are longer when composed.
      name: [...composed(name)].slice(0, MAX_NAME).join(""),
      path: fields.stored("path", path),
      uploader: fields.reference("uploadedBy"),
      // What is not said to be for clients is not shown to them.
      visibility: fields.word(["visibility"], { words: VISIBILITIES, fallback: "team", unknown: "team" }),
      createdAt,
      attachedAt: fields.instant(["attachedAt"], { fallback: () => createdAt }),
      position: fields.checked(["position"], positionSchema) ?? 0,
      projectFileId: fields.reference("projectId"),
      taskFileId: fields.reference("taskId"),
      commentFileId: fields.reference("commentId"),
      requestFileId: fields.reference("requestId"),
      conversationFileId: fields.reference("conversationId"),
      messageFileId: fields.reference("messageId"),
      photoOfFileId: fields.reference("photoOf"),
    });
  }

  return { stage, isOwnExport: () => isOwnExport };
}
