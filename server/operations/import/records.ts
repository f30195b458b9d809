import { hash } from "node:crypto";
import {
  ACCOUNT_STATUSES,
  ACCOUNT_TYPES,
  DEFAULT_ADDRESS,
  PROJECT_STATUSES,
  type ProjectStatus,
  TASK_PRIORITIES,
  TASK_STATUSES,
  type TaskStatus,
  VISIBILITIES,
} from "@db/enums";
import * as z from "zod/mini";
import { emailSchema } from "../../contract/accounts";
import { webLinkSchema } from "../../contract/links";
import { profileSchema } from "../../contract/profiles";
import { repoLinkSchema } from "../../contract/repo";
import { createLabelSchema } from "../../contract/task-labels";
import { checklistSchema, withIds } from "../../contract/tasks";
import { idSchema } from "../../contract/text";
import type { ImportRecord, ImportThing } from "./document";
import { createFields, type Fields, type Take } from "./fields";
import { type Subject, unmatched } from "./notes";
import {
  type Stager,
  stagedComments,
  stagedConversations,
  stagedMembers,
  stagedMessages,
  stagedPeople,
  stagedProjects,
  stagedTasks,
} from "./staging";

const memberSchema = z.object({ name: z.string(), email: z.nullable(z.string()) });
const namedSchema = z.object({ id: z.optional(z.unknown()), name: z.string() });

/**
 * Stages the records of a file in their order. `today` stands for a moment that nothing is known of: the day of the import, so that
 * a run that only tells and a run that imports say the same.
 */
export function createRecords({ stager, take, today }: { stager: Stager; take: Take; today: string }) {
  let place = 0;
  /** The conversation that messages are being read of, and the time of its last one. */
  let present: { conversation: string; at: string | null } = { conversation: "", at: null };

  async function stage(record: ImportRecord): Promise<void> {
    place += 1;
    if (record.kind === "left-out") return take(record.note);
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
        return stager.add(stagedProjects, { place, ...projectOf(record, fields, today) });
      case "task":
        return stager.add(stagedTasks, { place, ...taskOf(record, fields, today) });
      case "comment":
        return stageComment(record, fields);
      case "conversation":
        return stageConversation(record, fields);
      case "message":
        return stageMessage(record, fields);
    }
  }

  async function stageMember({ id, value }: ImportThing): Promise<void> {
    await stager.add(stagedMembers, { place, fileId: id, ...memberSchema.parse(value) });
  }

  async function stagePerson({ id }: ImportThing, fields: Fields, subject: Subject): Promise<void> {
    if (fields.given("token") !== undefined) {
      // The value is a secret: it stands nowhere.
      take(unmatched(subject, "token", null, "the organisation has one token, which an admin sets in Settings"));
    }
    const email = emailSchema.safeParse(fields.given("email"));
    if (!email.success)
      return fields.drop("email", fields.given("email") ?? null, "nobody is imported without an email");
    await stager.add(stagedPeople, {
      place,
      fileId: id,
      email: email.data,
      ...personOf(id, email.data, fields, today),
    });
  }

  async function stageComment({ id, parentId }: ImportThing, fields: Fields): Promise<void> {
    const author = fields.reference("authorId");
    const deletedAt = fields.instant(["deletedAt"], { fallback: () => null });
    const text = fields.text(["text"], { max: 10_000, lines: "many" });
    if (author === null) return fields.drop("authorId", null, "a comment needs an author");
    if (text === null && deletedAt === null) return fields.drop("text", null, "a comment needs a text");
    await stager.add(stagedComments, {
      place,
      projectFileId: parentId,
      taskFileId: fields.reference("taskId"),
      fileId: id,
      id: keptId(id, "comment", parentId),
      author,
      // What is not said to be for clients is not shown to them.
      visibility: fields.word(["visibility"], { words: VISIBILITIES, fallback: "team", unknown: "team" }),
      text: deletedAt === null ? (text ?? "") : "",
      createdAt: fields.instant(["createdAt"], { fallback: () => today }),
      editedAt: fields.instant(["editedAt"], { fallback: () => null }),
      deletedAt,
    });
  }

  async function stageConversation({ id }: ImportThing, fields: Fields): Promise<void> {
    await stager.add(stagedConversations, {
      place,
      fileId: id,
      id: keptId(id, "conversation"),
      participants: fields.references("participants"),
      createdAt: fields.instant(["createdAt"], { fallback: () => null }),
    });
  }

  async function stageMessage({ id, parentId }: ImportThing, fields: Fields): Promise<void> {
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
    await stager.add(stagedMessages, {
      place,
      conversationFileId: parentId,
      fileId: id,
      id: keptId(id, "message", parentId),
      sender,
      text,
      at,
      isRead: fields.given("read") === true,
    });
  }

  return { stage };
}

function personOf(fileId: string, email: string, fields: Fields, today: string) {
  const name = fields.text(["name", "displayName", "username"], { max: 100, lines: "one" });
  const [localPart = ""] = email.split("@");
  if (name === null) fields.change("name", null, localPart, "nobody goes without a name");
  return {
    id: keptId(fileId, "user"),
    name: name ?? localPart.slice(0, 100),
    displayName: fields.text(["displayName"], { max: 100, lines: "one" }),
    username: fields.text(["username"], { max: 100, lines: "one" }),
    mobile: fields.text(["mobile"], { max: 20, lines: "one" }),
    age: fields.checked(["age"], profileSchema.shape.age) ?? null,
    address: fields.text(["address"], { max: 500, lines: "many" }) ?? DEFAULT_ADDRESS,
    profileImgLink: pictureOf(fields),
    agreeToTerms: fields.given("agreeToTerms") === true,
    accountType: fields.word(["accountType"], { words: ACCOUNT_TYPES, fallback: "user", unknown: "user" }),
    accountStatus: fields.word(["accountStatus"], { words: ACCOUNT_STATUSES, fallback: "active", unknown: "inactive" }),
    accessLevel: fields.text(["accessLevel"], { max: 100, lines: "one" }),
    createdAt: fields.instant(["createdAt"], { fallback: () => today }),
  };
}

/** Kept until its person has been told that pictures on other sites are not shown. */
function pictureOf(fields: Fields): string | null {
  const given = fields.given("profileImgLink");
  if (given === undefined) return null;
  const link = webLinkSchema.safeParse(given);
  if (link.success) fields.change("profileImgLink", given, null, "pictures on other sites are not shown");
  else fields.drop("profileImgLink", given, "a picture is uploaded by its person");
  return link.success ? link.data : null;
}

function projectOf({ id }: ImportThing, fields: Fields, today: string) {
  const title = titleOf(fields, ["title", "name"], 150);
  const createdAt = fields.instant(["createdAt"], { fallback: () => today });
  return {
    fileId: id,
    id: keptId(id, "project"),
    title,
    description: descriptionOf(fields, title),
    status: projectStatusOf(fields),
    ...daysOf(fields, createdAt),
    githubRepo: fields.checked(["githubRepo"], repoLinkSchema),
    liveLink: fields.checked(["liveLink"], webLinkSchema),
    projectType: fields.text(["projectType"], { max: 60, lines: "one" }),
    clientCollaboration: fields.given("clientCollaboration") === true,
    ...clientOf(fields),
    assignedTo: fields.references("assignedTo"),
    managers: fields.references("managers", "projectManagers"),
    createdBy: fields.reference("createdBy"),
    createdAt,
    updatedAt: fields.instant(["updatedAt"], { fallback: () => createdAt }),
  };
}

function taskOf({ id, parentId }: ImportThing, fields: Fields, today: string) {
  const title = titleOf(fields, ["title", "name"], 200);
  const written = fields.word(["status"], { words: TASK_STATUSES, fallback: "todo", unknown: "todo" });
  const completed = fields.given("completed");
  const isCompleted = typeof completed === "boolean" ? completed : written === "completed";
  const open = written === "completed" ? "todo" : written;
  const status: TaskStatus = isCompleted ? "completed" : open;
  if (fields.given("status") !== undefined && status !== written) {
    fields.change("status", written, status, `completed is ${isCompleted}`);
  }
  const createdAt = fields.instant(["createdAt"], { fallback: () => today });
  return {
    projectFileId: parentId,
    fileId: id,
    id: keptId(id, "task", parentId),
    title,
    description: descriptionOf(fields, title),
    status,
    statusBefore: isCompleted ? open : null,
    dueDate: fields.day(["dueDate"]),
    priority: fields.word(["priority"], { words: TASK_PRIORITIES, fallback: "none", unknown: "none" }),
    checklist: withIds(fields.checked(["checklist"], checklistSchema) ?? []),
    labels: fields.checked(["labels"], importedLabelsSchema) ?? [],
    assignedTo: fields.references("assignedTo"),
    createdBy: fields.reference("createdBy"),
    createdAt,
    completedAt: isCompleted ? fields.instant(["completedAt", "updatedAt"], { fallback: () => createdAt }) : null,
  };
}

/** Labels are known by their names; those that are not there yet are made. */
const importedLabelsSchema = z
  .array(
    z.union([
      createLabelSchema,
      z.pipe(
        z.pipe(
          z.string(),
          z.transform((name) => ({ name, colour: "grey" })),
        ),
        createLabelSchema,
      ),
    ]),
  )
  .check(z.maxLength(20));

function titleOf(fields: Fields, names: string[], max: number): string {
  const title = fields.text(names, { max, lines: "one" });
  if (title === null) fields.change("title", null, "Untitled", "it had none");
  return title ?? "Untitled";
}

function descriptionOf(fields: Fields, title: string): string {
  const description = fields.text(["description"], { max: 5000, lines: "many" });
  if (description === null) fields.change("description", null, title, "it had none");
  return description ?? title;
}

function projectStatusOf(fields: Fields): ProjectStatus {
  const given = fields.given("status");
  if (given === "active") {
    fields.change("status", "active", "inProgress", "that is what it is called here");
    return "inProgress";
  }
  const status = fields.word(["status"], { words: PROJECT_STATUSES, fallback: "todo", unknown: "todo" });
  if (given !== undefined && given !== status) fields.drop("status", given, "it is no status");
  return status;
}

function daysOf(fields: Fields, createdAt: string): { startDate: string; dueDate: string | null } {
  const dueDate = fields.day(["dueDate"]);
  const given = fields.day(["startDate"]);
  const startDate = given ?? createdAt.slice(0, 10);
  if (given === null) fields.change("startDate", null, startDate, "it had none, and was created then");
  if (dueDate === null || dueDate >= startDate) return { startDate, dueDate };
  fields.change("startDate", startDate, dueDate, "it may not begin after it is due");
  return { startDate: dueDate, dueDate };
}

/** By id, or else by name, which an object without an id may have as well. */
function clientOf(fields: Fields): { client: string | null; clientName: string | null } {
  const given = fields.given("clientId", "client");
  const byName = namedSchema.safeParse(given);
  const clientName = fields.text(["clientName"], { max: 100, lines: "one" });
  if (byName.success && byName.data.id === undefined)
    return { client: null, clientName: clientName ?? byName.data.name };
  return { client: fields.reference("clientId", "client"), clientName };
}

/** The id of the file where it is a UUID, else one that is the same in each run. */
function keptId(id: string, ...scope: string[]): string {
  const given = idSchema.safeParse(id);
  if (given.success) return given.data;
  const hex = hash("sha256", ["sangam import", ...scope, id].join("\u0000"));
  // Version 8: made by a rule of one's own.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
