import { randomUUID } from "node:crypto";
import { isTrackedEnvelope } from "@trpc/server";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeComments, makeFile, makeProject, makeTask, makeUser, type UserRow } from "../../db/factories";
import { comments, discussions, projectMembers } from "../../db/schema";
import { writeMention } from "../contract/mentions";
import type { Subject } from "../contract/subjects";
import type { CommentEvent, DiscussionEvent } from "../contract/views";
import { refusal, startTestProcess, type TestProcess } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";

let database: TestDatabase;
/** Two processes on one database: what one writes, watchers of the other receive. */
let here: TestProcess;
let there: TestProcess;
let asha: UserRow;
let rohan: UserRow;
let meera: UserRow;

beforeAll(async () => {
  database = await createTestDatabase();
  [here, there] = await Promise.all([startTestProcess(database), startTestProcess(database)]);
  asha = await makeUser(database.db, { name: "Asha Kulkarni", accountType: "admin" });
  rohan = await makeUser(database.db, { name: "Rohan Shah" });
  meera = await makeUser(database.db, { name: "Meera Rao", accountType: "client" });
});
afterAll(async () => {
  await Promise.all([here, there].map(({ listener }) => listener.close()));
  await database.close();
});

/** A project of Rohan's for Meera, with so many comments of Rohan's that she sees. */
async function discussion(size = 0): Promise<{ projectId: string }> {
  const { id: projectId } = await makeProject(database.db, {
    createdBy: asha.id,
    assignedTo: [rohan.id],
    clientId: meera.id,
    clientCollaboration: true,
  });
  const written = Array.from({ length: size }, (_, at) => ({
    authorId: rohan.id,
    text: `No. ${at + 1}`,
    visibility: "client" as const,
  }));
  if (size > 0) await makeComments(database.db, { projectId, comments: written });
  return { projectId };
}

const write = async (by: UserRow, subject: { projectId: string }, visibility: "team" | "client" = "client") =>
  (await here.as(by)).comments.create({ subject, text: "Done?", visibility, clientCommentId: randomUUID() });
const edit = async (by: UserRow, commentId: string, text = "Done.") =>
  (await here.as(by)).comments.update({ commentId, text });
const remove = async (by: UserRow, commentId: string) => (await here.as(by)).comments.delete({ commentId });
const upTo = (size: number, from = 1) => Array.from({ length: size - from + 1 }, (_, at) => from + at);

/** A stream in another process than the one that writes. */
async function follow(
  user: UserRow,
  input: Parameters<Awaited<ReturnType<TestProcess["as"]>>["comments"]["onChange"]>[0],
) {
  const caller = await there.as(user);
  const iterator = (await caller.comments.onChange(input))[Symbol.asyncIterator]();
  const next = async (): Promise<DiscussionEvent & { id: string }> => {
    // Callers in the process get the envelope itself, whatever their type says.
    const { value }: { value?: unknown } = await iterator.next();
    if (!isTrackedEnvelope<DiscussionEvent>(value)) throw new Error("the event is not tracked");
    return { id: value[0], ...value[1] };
  };
  return { next, close: () => iterator.return?.() };
}

/** Of the comments alone. */
async function watch(user: UserRow, subject: { projectId: string }, lastEventId?: string | null) {
  const stream = await follow(user, { subject, lastEventId });
  const next = async (): Promise<CommentEvent & { id: string }> => {
    const event = await stream.next();
    if (!("comment" in event)) throw new Error("the event is not a comment's");
    return event;
  };
  /** The numbers of the next so many comments, in the order of their changes. */
  const seqs = async (count: number) => {
    const seen: number[] = [];
    while (seen.length < count) seen.push((await next()).comment.seq);
    return seen;
  };
  return { next, seqs, close: stream.close };
}

describe("a discussion's stream", () => {
  test("brings each comment, edit and deletion to the team and the client, each as they see it", async () => {
    const subject = await discussion();
    await write(asha, subject, "team");
    const [team, client] = await Promise.all([watch(rohan, subject, "team-1"), watch(meera, subject, "client-0")]);
    const made = await write(meera, subject);
    const forTeam = { ...made, seq: 2, clientCommentId: null };
    expect(await team.next()).toEqual({ id: "team-2", type: "created", comment: forTeam });
    expect(await client.next()).toEqual({ id: "client-1", type: "created", comment: made });
    const edited = await edit(meera, made.id);
    expect(await client.next()).toEqual({ id: "client-2", type: "edited", comment: edited });
    await remove(asha, made.id);
    const deleted = { ...edited, text: "", deletedAt: expect.any(String) };
    expect(await client.next()).toEqual({ id: "client-3", type: "deleted", comment: deleted });
    await Promise.all([team.close(), client.close()]);
  });

  test("says of what it has not brought yet that it is created, however often it has changed since", async () => {
    const subject = await discussion();
    const { id } = await write(rohan, subject);
    await write(rohan, subject);
    await edit(rohan, id);
    const watcher = await watch(asha, subject, "team-0");
    expect(await watcher.next()).toMatchObject({ id: "team-2", type: "created", comment: { seq: 2 } });
    expect(await watcher.next()).toMatchObject({ id: "team-3", type: "created", comment: { seq: 1, text: "Done." } });
    await watcher.close();
  });

  test("brings a comment of the team, its edit and its deletion to the team by their own notifications", async () => {
    const subject = await discussion();
    const team = await watch(asha, subject, "team-0");
    const { id } = await write(rohan, subject, "team");
    expect(await team.next()).toMatchObject({ id: "team-1", type: "created" });
    await edit(rohan, id);
    expect(await team.next()).toMatchObject({ id: "team-2", type: "edited" });
    await remove(rohan, id);
    expect(await team.next()).toMatchObject({ id: "team-3", type: "deleted" });
    await team.close();
  });

  test("wakes no client for the team's comments, and moves no id of theirs", async () => {
    const subject = await discussion(2);
    const client = await watch(meera, subject, "client-2");
    const { id } = await write(rohan, subject, "team");
    await edit(rohan, id);
    await remove(rohan, id);
    there.hub.resyncAll();
    const shown = await write(rohan, subject);
    expect(await client.next()).toMatchObject({ id: "client-3", comment: { id: shown.id, seq: 3 } });
    await client.close();
  });

  test("brings every comment once, whoever writes where, also when nobody reads meanwhile", async () => {
    const subject = await discussion();
    const [eager, lazy] = await Promise.all([watch(asha, subject, "team-0"), watch(meera, subject, "client-0")]);
    const seqs = eager.seqs(30);
    await Promise.all(upTo(30).map((at) => write(at % 2 ? rohan : meera, subject)));
    expect(await seqs).toEqual(upTo(30));
    expect(await lazy.seqs(30)).toEqual(upTo(30));
    await Promise.all([eager.close(), lazy.close()]);
  });

  test.each([
    ["an id", "client-130", 131],
    ["the id before the first", "client-0", 1],
    ["no id", undefined, 181],
    ["null", null, 181],
    ["a malformed id", "client-12abc", 181],
    ["an id of the team's", "team-130", 181],
    ["an id ahead of the discussion", "client-231", 181],
    ["an id that no number can hold", `client-${"9".repeat(9_000)}`, 181],
  ])("begins after %s with what is there, and goes on", async (_name, lastEventId, first) => {
    const subject = await discussion(230);
    const watcher = await watch(meera, subject, lastEventId);
    const seqs = watcher.seqs(231 - first + 1);
    await write(rohan, subject);
    expect(await seqs).toEqual(upTo(231, first));
    await watcher.close();
  });

  test("goes on where a page of the list was read", async () => {
    const subject = await discussion(3);
    const { items, lastEventId } = await (await here.as(asha)).comments.list({ subject });
    await edit(rohan, items[0]?.id ?? "");
    const watcher = await watch(asha, subject, lastEventId);
    expect(await watcher.next()).toMatchObject({ type: "edited", comment: { seq: 1 } });
    await watcher.close();
  });

  test("leaves out nothing that a slow commit holds back while it is watched", async () => {
    const subject = await discussion(1);
    const watcher = await watch(asha, subject, "team-1");
    const waiting = await database.db.transaction(async (tx) => {
      const [locked] = await tx
        .update(discussions)
        .set({ lastSeq: 2, lastChange: 2 })
        .where(eq(discussions.projectId, subject.projectId))
        .returning();
      const later = write(rohan, subject);
      there.hub.resyncAll();
      await database.untilWaiting();
      const numbers = { seq: 2, createdChange: 2, lastChange: 2, discussionId: locked?.id ?? "" };
      const content = { authorId: rohan.id, clientCommentId: randomUUID(), visibility: "team" as const, text: "Slow" };
      await tx.insert(comments).values({ ...numbers, ...content });
      return { later };
    });
    expect((await waiting.later).seq).toBe(3);
    expect(await watcher.seqs(2)).toEqual([2, 3]);
    await watcher.close();
  });

  test("ends once somebody has left the project, before it brings anything written after", async () => {
    const subject = await discussion(1);
    const watcher = await watch(rohan, subject, "team-1");
    await database.db.delete(projectMembers).where(eq(projectMembers.userId, rohan.id));
    await write(asha, subject, "team");
    expect(await refusal(watcher.next())).toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("files beside a discussion", () => {
  const attach = async (by: UserRow, subject: Subject, visibility: "team" | "client", name: string) => {
    const { id } = await makeFile(database.db, { uploadedBy: by.id, name });
    await (await here.as(by)).files.attach({ subject, fileIds: [id], visibility });
    return id;
  };
  const detach = async (by: UserRow, fileId: string) => (await here.as(by)).files.remove({ fileId });
  const named = (...names: string[]) => ({
    type: "files",
    files: names.map((name) => expect.objectContaining({ name })),
  });

  test.each(["project", "task"] as const)("of a %s come and go for others, after those that are there", async (of) => {
    const { projectId } = await discussion();
    const task = await makeTask(database.db, { projectId, createdBy: rohan.id });
    const subject = of === "project" ? { projectId } : { taskId: task.id };
    const first = await attach(rohan, subject, "client", "plan.pdf");
    const watchers = await Promise.all([
      follow(asha, { subject, lastEventId: "team-0", also: ["files"] }),
      follow(meera, { subject, lastEventId: "client-0", also: ["files"] }),
    ]);
    const next = () => Promise.all(watchers.map((watcher) => watcher.next()));
    expect(await next()).toMatchObject([named("plan.pdf"), named("plan.pdf")]);
    await attach(meera, subject, "client", "tides.pdf");
    expect(await next()).toMatchObject([named("plan.pdf", "tides.pdf"), named("plan.pdf", "tides.pdf")]);
    await detach(rohan, first);
    expect(await next()).toMatchObject([named("tides.pdf"), named("tides.pdf")]);
    await Promise.all(watchers.map(({ close }) => close()));
  });

  test("of the team come to the team; a client gets nothing and is not woken up, and no id moves", async () => {
    const subject = await discussion(1);
    const [team, client] = await Promise.all([
      follow(asha, { subject, lastEventId: "team-1", also: ["files"] }),
      follow(meera, { subject, lastEventId: "client-1", also: ["files"] }),
    ]);
    expect(await Promise.all([team.next(), client.next()])).toMatchObject([named(), named()]);
    const probe = there.hub.open();
    probe.join(`client-discussion:${subject.projectId}`);
    const id = await attach(rohan, subject, "team", "fees.pdf");
    expect(await team.next()).toEqual({ id: "team-1", ...named("fees.pdf") });
    await detach(rohan, id);
    expect(await team.next()).toMatchObject(named());
    // The safety timer wakes everybody, about nothing.
    expect([...(probe.take()?.subjects ?? [])]).toEqual([]);
    await attach(rohan, subject, "client", "plan.pdf");
    expect(await client.next()).toEqual({ id: "client-1", ...named("plan.pdf") });
    expect([...(probe.take()?.subjects ?? [])]).toEqual([`discussion:${subject.projectId}`]);
    probe.close();
    await Promise.all([team.close(), client.close()]);
  });

  test("are found by the next safety read when the notification is lost, and nothing comes twice", async () => {
    const subject = await discussion();
    const watcher = await follow(asha, { subject, lastEventId: "team-0", also: ["files"] });
    await watcher.next();
    await makeFile(database.db, {
      ...{ uploadedBy: rohan.id, name: "silent.pdf", visibility: "team" },
      ...{ projectId: subject.projectId, attachedAt: new Date() },
    });
    there.hub.resyncAll();
    expect(await watcher.next()).toMatchObject(named("silent.pdf"));
    there.hub.resyncAll();
    await write(rohan, subject);
    expect(await watcher.next()).toMatchObject({ type: "created" });
    await watcher.close();
  });

  test("are not sent to who may no longer see them", async () => {
    const subject = await discussion();
    const watcher = await follow(rohan, { subject, also: ["files"] });
    await watcher.next();
    await database.db.delete(projectMembers).where(eq(projectMembers.userId, rohan.id));
    await attach(asha, subject, "team", "fees.pdf");
    expect(await refusal(watcher.next())).toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("names in a discussion", () => {
  const rename = async (person: UserRow, displayName: string) =>
    (await here.as(person)).users.updateProfile({ displayName });
  const mention = async (by: UserRow, subject: Subject, person: UserRow, visibility: "team" | "client") =>
    (await here.as(by)).comments.create({
      ...{ subject, visibility, clientCommentId: randomUUID() },
      text: `Ask ${writeMention({ id: person.id, name: "them" })}`,
    });
  const people = (...names: string[]) => ({
    type: "people",
    people: expect.toSatisfy(
      (found: { name: string }[]) =>
        found
          .map(({ name }) => name)
          .sort()
          .join() === names.join(),
    ),
  });

  test("are those of authors and of the mentioned, and follow them as they are renamed or erased", async () => {
    const vikram = await makeUser(database.db, { name: "Vikram Menon", accountType: "admin" });
    const nikhil = await makeUser(database.db, { name: "Nikhil Jain", accountType: "admin" });
    const subject = await discussion();
    await mention(vikram, subject, nikhil, "client");
    const watcher = await follow(meera, { subject, lastEventId: "client-1", also: ["people"] });
    expect(await watcher.next()).toMatchObject(people("Nikhil Jain", "Vikram Menon"));
    await rename(nikhil, "Nik");
    expect(await watcher.next()).toMatchObject({ id: "client-1", ...people("Nik") });
    await (await here.as(asha)).users.erasePerson({ userId: vikram.id });
    expect(await watcher.next()).toMatchObject(people("Unknown User"));
    // Also of whoever has come since.
    await write(rohan, subject);
    expect(await watcher.next()).toMatchObject({ type: "created" });
    await rename(rohan, "Ro");
    expect(await watcher.next()).toMatchObject(people("Ro"));
    await rename(rohan, "Rohan Shah");
    await watcher.close();
  });

  test("say nothing of an account that changes otherwise, or of people whom only the team names", async () => {
    const subject = await discussion(1);
    await mention(asha, subject, asha, "team");
    const watcher = await follow(meera, { subject, lastEventId: "client-1", also: ["people"] });
    expect(await watcher.next()).toMatchObject(people("Rohan Shah"));
    await rename(asha, "Asha K.");
    await (await here.as(rohan)).auth.revokeOtherSessions();
    there.hub.resyncAll();
    await rename(asha, "Asha Kulkarni");
    await write(rohan, subject);
    expect(await watcher.next()).toMatchObject({ type: "created" });
    await watcher.close();
  });
});
