import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import type { Db } from "../../../db/client";
import {
  makeComments,
  makeConversation,
  makeFile,
  makeInquiry,
  makeLabel,
  makeProject,
  makeSession,
  makeTask,
  makeUser,
  type UserRow,
} from "../../../db/factories";
import { conversations, invitations, labels, projectTemplates, requests, webhooks } from "../../../db/schema";
import { makeSignOff } from "../../../db/sign-off-factory";
import type { TemplateContent } from "../../contract/templates";
import type { TestCallers } from "../caller";

/* What the calls of the access matrix are about: each object is made when a call first asks for it. */

export interface Objects {
  projectId: string;
  taskId: string;
  taskKey: string;
  labelId: string;
  /** Pending. */
  invitationId: string;
  /** Of an admin who does not call. */
  templateId: string;
  webhookId: string;
  /** Of another project of the same people. */
  foreignTaskId: string;
  pendingUserId: string;
  activeUserId: string;
  rejectedUserId: string;
  foreignSessionId: string;
  foreignKeyId: string;
  /** One of another admin with each of: the involved user, the client; and one of the calling admin with another user. */
  conversations: Record<"involved" | "client" | "admin" | "covered", string>;
  /** One that the involved user and the calling admin can read: in a conversation of the two. */
  messages: { involved: string };
  otherAdminId: string;
  /** Of `projectId`, for its client too; uploaded by an admin who does not call. */
  foreignFileId: string;
  inquiryId: string;
  /** The client of `projectId`. */
  clientId: string;
  /** A project of the same people with client collaboration, and comments there; and comments in `projectId`, which has none. */
  open: { projectId: string; ofInvolved: string; ofClient: string };
  closed: { projectId: string; ofInvolved: string; ofClient: string };
  /** What the client is asked in that project, and in `projectId`, which has no client collaboration. */
  signOffs: { open: string; closed: string };
  /** A project of the same people that the involved user manages. */
  managed: string;
  /** Of the client, in a project each that the involved user manages: with client collaboration, and without; and in one that nobody manages. */
  requests: Record<"open" | "closed" | "unmanaged", { projectId: string; id: string; otherId: string }>;
}

/** Who calls, as far as objects are theirs. */
type Owners = Record<"involved" | "client" | "clientPerson" | "admin", UserRow>;

export const REQUEST = { title: "Tides in the evening", text: "Show them too.", urgency: "normal" as const };

export interface ObjectSet {
  /** Those that are needed; what was made before stays the same. A name that was not needed cannot be read. */
  pick(isNeeded: (name: string) => boolean): Promise<Objects>;
}

type Makers = { [Name in keyof Objects]: () => Promise<Objects[Name]> };
type Given = { db: Db; people: Owners; callers: TestCallers };

/** A new set: nothing of it is made yet. */
export function createObjects(given: Given): ObjectSet {
  const makers = makersOf(given);
  return {
    async pick(isNeeded) {
      const made: Record<string, unknown> = {};
      // One after the other: the keys of projects are counted.
      for (const [name, make] of Object.entries(makers)) if (isNeeded(name)) made[name] = await make();
      // What is missing fails when it is read.
      return new Proxy(made, { get: readFrom }) as unknown as Objects;
    },
  };
}

function readFrom(made: object, name: string | symbol): unknown {
  // `await` looks for a method `then`.
  if (name !== "then" && !(name in made)) throw new Error(`${String(name)} was not made`);
  return Reflect.get(made, name);
}

function once<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function makersOf({ db, people, callers }: Given): Makers {
  const ofClient = () => ({ clientId: people.client.id, clientPeople: [people.clientPerson.id] });
  const projectOf = (changes: object = {}) => makeProject(db, { createdBy: people.involved.id, ...changes });
  const taskOf = ({ id: projectId }: { id: string }) => makeTask(db, { projectId, createdBy: people.involved.id });
  const project = once(() => projectOf(ofClient()));
  const task = once(async () => taskOf(await project()));
  const discussed = once(() => projectOf({ ...ofClient(), clientCollaboration: true }));
  const activeUser = once(() => makeUser(db));
  const otherAdmin = once(() => makeUser(db, { accountType: "admin" }));
  const conversation = async (admin: UserRow, other: UserRow) =>
    (await makeConversation(db, { between: [admin.id, other.id], messages: [{ senderId: other.id }] })).id;
  const commentsIn = async (projectId: string) => {
    const comments = [people.involved, people.client].map(({ id }) => ({
      authorId: id,
      visibility: "client" as const,
    }));
    const [ofInvolved = "", byClient = ""] = await makeComments(db, { projectId, comments });
    return { projectId, ofInvolved, ofClient: byClient };
  };
  const signOffIn = async (projectId: string) => {
    const asked = { signerId: people.client.id, askedBy: people.involved.id };
    return (await makeSignOff(db, { projectId, ...asked })).id;
  };
  const requestIn = async (changes: object) => {
    const { id: projectId } = await projectOf({ ...ofClient(), ...changes });
    const made = { projectId, createdBy: people.client.id };
    return { projectId, id: await makeRequest(db, made), otherId: await makeRequest(db, made) };
  };
  return {
    projectId: async () => (await project()).id,
    taskId: async () => (await task()).id,
    taskKey: async () => `${(await project()).key}-${(await task()).number}`,
    labelId: once(async () => {
      // There may be 200 of them only.
      await db.delete(labels);
      return (await makeLabel(db)).id;
    }),
    invitationId: once(() => makeInvitation(db)),
    templateId: once(async () => makeTemplate(db, (await otherAdmin()).id)),
    webhookId: once(async () => makeWebhook(db, (await otherAdmin()).id)),
    foreignTaskId: once(async () => (await taskOf(await projectOf())).id),
    pendingUserId: once(async () => (await makeUser(db, { accountStatus: "pending" })).id),
    activeUserId: async () => (await activeUser()).id,
    rejectedUserId: once(async () => (await makeUser(db, { accountStatus: "rejected" })).id),
    foreignSessionId: once(async () => (await makeSession(db, { userId: (await activeUser()).id })).id),
    foreignKeyId: once(async () => (await callers.makeKey(await activeUser(), "write")).id),
    conversations: once(async () => ({
      involved: await conversation(await otherAdmin(), people.involved),
      client: await conversation(await otherAdmin(), people.client),
      admin: await conversation(people.admin, await activeUser()),
      covered: await makeCovered(db, { admin: people.admin, coverUserId: (await otherAdmin()).id }),
    })),
    messages: once(async () => ({ involved: await messageOfBoth(callers, people) })),
    otherAdminId: async () => (await otherAdmin()).id,
    foreignFileId: once(async () => {
      const [{ id: projectId }, { id: uploadedBy }] = [await project(), await otherAdmin()];
      return (await makeFile(db, { projectId, uploadedBy, visibility: "client" })).id;
    }),
    inquiryId: once(async () => (await makeInquiry(db)).id),
    clientId: async () => people.client.id,
    open: once(async () => commentsIn((await discussed()).id)),
    closed: once(async () => commentsIn((await project()).id)),
    signOffs: once(async () => ({
      open: await signOffIn((await discussed()).id),
      closed: await signOffIn((await project()).id),
    })),
    managed: once(
      async () => (await projectOf({ createdBy: people.admin.id, ...ofClient(), managers: [people.involved.id] })).id,
    ),
    requests: once(async () => ({
      open: await requestIn({ clientCollaboration: true, managers: [people.involved.id] }),
      closed: await requestIn({ managers: [people.involved.id] }),
      unmanaged: await requestIn({}),
    })),
  };
}

/** A conversation of the calling admin with a user, which that other admin covers. */
async function makeCovered(db: Db, { admin, coverUserId }: { admin: UserRow; coverUserId: string }): Promise<string> {
  const { id } = await makeConversation(db, {
    between: [admin.id, (await makeUser(db)).id],
    messages: [{ senderId: admin.id }],
  });
  await db.update(conversations).set({ coverUserId, coveredUserId: admin.id }).where(eq(conversations.id, id));
  return id;
}

/** A new one each time: a message becomes one task. There is one conversation of the two. */
async function messageOfBoth(callers: TestCallers, { involved, admin }: Owners): Promise<string> {
  const { chat } = await callers.as(involved);
  const sent = { recipientId: admin.id, text: "Hello", clientMessageId: randomUUID() };
  return (await chat.start(sent)).message.id;
}

async function makeRequest(
  db: Db,
  { projectId, createdBy }: { projectId: string; createdBy: string },
): Promise<string> {
  const [made] = await db
    .insert(requests)
    .values({ projectId, ...REQUEST, createdBy })
    .returning({ id: requests.id });
  return made?.id ?? "";
}

async function makeTemplate(db: Db, createdBy: string): Promise<string> {
  const content: TemplateContent = {
    ...{ description: "What for.", projectType: null, dueAfterDays: 7, assignedTo: [], managers: [], tasks: [] },
    ...{ clientCollaboration: false, statusReminder: false, commitMode: "titles", maskedWords: [] },
  };
  const [made] = await db.insert(projectTemplates).values({ title: "Portal", content, createdBy }).returning();
  return made?.id ?? "";
}

async function makeWebhook(db: Db, createdBy: string): Promise<string> {
  // There may be a few of them only.
  await db.delete(webhooks);
  const [made] = await db
    .insert(webhooks)
    .values({
      ...{ url: "http://127.0.0.1:9/", kinds: ["comment"], createdBy },
      ...{ sealedSecret: "none", keyId: "none" },
    })
    .returning({ id: webhooks.id });
  return made?.id ?? "";
}

async function makeInvitation(db: Db): Promise<string> {
  const [made] = await db
    .insert(invitations)
    .values({
      email: `invited-${randomUUID()}@sangam.example`,
      name: "New Person",
      accountType: "user",
      expiresAt: new Date(Date.now() + 3_600_000),
    })
    .returning({ id: invitations.id });
  return made?.id ?? "";
}
