import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  makeConversation,
  makeFile,
  makeProject,
  makeSession,
  makeTask,
  makeUser,
  type UserRow,
} from "../../db/factories";
import { writeMention } from "../contract/mentions";
import { signOffPdfPath } from "../contract/sign-off-pdf";
import { appRouter } from "../router";
import { createTestCallers, type TestCaller } from "./caller";
import {
  answersOf,
  BEGINNINGS,
  CALLS,
  type ClientWorld,
  closeWorlds,
  comparable,
  documentsOf,
  expectSameSight,
  listen,
  openWorld,
  procedureOf,
  STREAMS,
  VOLATILE,
} from "./client-sight";
import { sessionCookie } from "./session-cookie";

/*
 * A client cannot learn that the team comments: whatever a client can call, receive or open has the same bytes with and without comments
 * and files of the team, once ids and times are named in the order of their appearance.
 */

interface World extends ClientWorld {
  people: Record<"rohan" | "meera", UserRow>;
}
const worlds: World[] = [];

beforeAll(async () => {
  for (let at = 0; at < 2; at += 1) worlds.push(await makeWorld());
});
afterAll(() => closeWorlds(worlds));

async function makeWorld(): Promise<World> {
  const { database, server } = await openWorld();
  const { db } = database;
  const given = (username: string) => ({ username, email: `${username}@sangam.example`, name: username });
  const rohan = await makeUser(db, given("rohan"));
  const meera = await makeUser(db, { ...given("meera"), accountType: "client" });
  const asha = await makeUser(db, { ...given("asha"), accountType: "admin" });
  const { id: projectId } = await makeProject(db, {
    ...{ key: "HBP", createdBy: rohan.id, clientId: meera.id, clientCollaboration: true },
    githubRepo: null,
  });
  const { id: taskId } = await makeTask(db, { projectId, createdBy: rohan.id, dueDate: "2026-12-01" });
  const { id: conversationId } = await makeConversation(db, {
    between: [asha.id, meera.id],
    messages: [{ senderId: asha.id }],
  });
  const cookie = sessionCookie((await makeSession(db, { userId: meera.id })).token);
  const callers = createTestCallers(db);
  const { url } = await (await callers.as(meera)).feeds.createCalendar();
  const ask = { projectId, taskIds: [taskId], note: "Please look", signerId: meera.id };
  const { id: signOffId } = await (await callers.as(asha)).signOffs.ask(ask);
  const downloads = [new URL(url).pathname, signOffPdfPath(signOffId)];
  const documents = documentsOf({ projectId, conversationId, signOffId });
  return {
    database,
    server,
    people: { rohan, meera },
    projectId,
    taskId,
    conversationId,
    cookie,
    downloads,
    documents,
  };
}

/** Streams that a client may not open. */
const OTHER_STREAMS = /^(users|inquiries|audit|system)\./;
/** Queries that a client may not call, that say nothing of projects, or give one of what a list above gives whole. */
const OTHERS =
  /^(users|inquiries|audit|vitals|system|webhooks)\.|^github\.tokenStatus$|^labels\.usage$|^notifications\.(pushKey|pushSubscription)|^overview\.replyTimes$|^statusUpdates\.draft$|^projects\.(findings|livePulse|templates)$|^chat\.ofInactiveAdmins$|^(requests|signOffs)\.byId$/;

const proceduresOf = (entries: object) => [...new Set(Object.keys(entries).map(procedureOf))].sort();

test("every query and stream of the router is among those that are compared, or is not for clients", () => {
  const namesOf = (type: "query" | "subscription") =>
    Object.entries<unknown>(appRouter._def.procedures).flatMap(([name, procedure]) =>
      typeof procedure === "function" && JSON.stringify(Reflect.get(procedure, "_def")).includes(`"type":"${type}"`)
        ? name
        : [],
    );
  expect(
    namesOf("query")
      .filter((name) => !OTHERS.test(name))
      .sort(),
  ).toEqual(proceduresOf(CALLS));
  const streams = namesOf("subscription").filter((name) => !OTHER_STREAMS.test(name));
  expect(streams.sort()).toEqual(proceduresOf(STREAMS));
});

/** The bytes of a file and of its thumbnail, as the client is answered; for an id that does not exist with its name. */
async function downloadsOf(world: World, id: string): Promise<string[]> {
  const answers: string[] = [];
  for (const path of [id, `${id}/thumbnail`, `${id}?preview`]) {
    for (const method of ["GET", "HEAD"]) {
      const answer = await fetch(`${world.server.base}/api/files/${path}`, {
        method,
        headers: { cookie: world.cookie },
      });
      const headers = [...answer.headers].filter(([header]) => !VOLATILE.has(header));
      const text = `${method} ${path} ${answer.status} ${JSON.stringify(headers)} ${await answer.text()}`;
      answers.push(text.replaceAll(id, "<id>"));
    }
  }
  return answers;
}

/** Comments with their edits and deletions, and files, of the team alone: 50 of the first and 25 of the last. */
async function commentAmongTheTeam(
  rohan: TestCaller,
  { database, people, taskId, projectId }: World,
  times = 25,
): Promise<string[]> {
  const fileIds: string[] = [];
  const upload = async (name: string) => {
    const thumbnail = { thumbnailHash: "1".repeat(64), width: 1, height: 1 };
    const { id } = await makeFile(database.db, { uploadedBy: people.rohan.id, name, ...thumbnail });
    fileIds.push(id);
    return id;
  };
  for (let at = 0; at < times; at += 1) {
    const fileId = await upload(`secret-${at}.txt`);
    const content = { text: `A secret ${at}`, visibility: "team" as const };
    const made = await rohan.comments.create({
      ...{ subject: { taskId }, ...content, clientCommentId: randomUUID(), fileIds: [fileId] },
    });
    await rohan.comments.create({ subject: { projectId }, ...content, clientCommentId: randomUUID() });
    if (at % 2) await rohan.comments.update({ commentId: made.id, text: `Another secret ${at}` });
    if (at % 3 === 0) await rohan.comments.delete({ commentId: made.id });
    const beside = [await upload(`secret-beside-${at}.txt`), await upload(`secret-gone-${at}.txt`)];
    for (const subject of [{ taskId }, { projectId }].slice(at % 2, (at % 2) + 1))
      await rohan.files.attach({ subject, fileIds: beside, visibility: "team" });
    await rohan.files.remove({ fileId: beside[1] ?? "" });
  }
  return fileIds;
}

test("nothing that a client has read is other after the team has commented: no number, no time, no tag", async () => {
  const world = await makeWorld();
  worlds.push(world);
  const rohan = await createTestCallers(world.database.db).as(world.people.rohan);
  const before = await answersOf(world);
  await commentAmongTheTeam(rohan, world);
  expect(await answersOf(world)).toEqual(before);
});

test("a file of the team is answered like an id that does not exist: on a comment, beside it, unattached and removed", async () => {
  const world = await makeWorld();
  worlds.push(world);
  const rohan = await createTestCallers(world.database.db).as(world.people.rohan);
  const ids = await commentAmongTheTeam(rohan, world, 2);
  ids.push((await makeFile(world.database.db, { uploadedBy: world.people.rohan.id })).id);
  const missing = await downloadsOf(world, randomUUID());
  expect(missing.every((answer) => answer.includes(" 404 "))).toBe(true);
  for (const id of ids) expect(await downloadsOf(world, id)).toEqual(missing);
});

test("what a client reads and receives later is the same as without the team's comments", async () => {
  const [withTeam, without] = await Promise.all(
    worlds.slice(0, 2).map(async (world, at) => {
      const { taskId, projectId, people } = world;
      const rohan = await createTestCallers(world.database.db).as(people.rohan);
      const meera = await createTestCallers(world.database.db).as(people.meera);
      const { until, stop } = await listen(world);
      await until(BEGINNINGS);
      /** By what tells her alone, and by what tells her of everything. */
      const untilNotified = (text: string) => until({ "notifications.onChange": text, "live.onEvent": text });
      if (at === 0) await commentAmongTheTeam(rohan, world);
      const text = `See ${writeMention({ id: people.meera.id, name: "meera" })}`;
      const said = { subject: { taskId }, clientCommentId: randomUUID() };
      const { id } = await rohan.comments.create({ ...said, text, visibility: "client" });
      await until({ "comments.onChange": "client-1" });
      await untilNotified('"unread":2');
      if (at === 0) await commentAmongTheTeam(rohan, world, 3);
      const about = [
        [{ taskId }, "comments.onChange"],
        [{ projectId }, "comments.onChange (of the project)"],
      ] as const;
      const own: unknown[] = [];
      for (const [subject, stream] of about) {
        const answer = { subject, text: "Thank you", visibility: "client" as const, clientCommentId: randomUUID() };
        const made = await meera.comments.create(answer);
        await until({ [stream]: answer.text });
        const fileIds = [(await makeFile(world.database.db, { uploadedBy: people.meera.id, hash: "2".repeat(64) })).id];
        own.push(made, await meera.comments.update({ commentId: made.id, text: "Thanks" }));
        await until({ [stream]: "Thanks" });
        own.push(await meera.comments.markRead({ subject, upToSeq: made.seq }));
        // What she has read of the project notifies her of nothing.
        await untilNotified('"unread":1');
        own.push(await meera.files.attach({ subject, fileIds, visibility: "client" }));
        await until({ [stream]: "plan.txt" });
        own.push(await meera.notifications.follow({ subject, following: true }));
      }
      own.push(await meera.notifications.markRead({ all: true }));
      await untilNotified('"unread":0');
      await rohan.comments.update({ commentId: id, text: `${text}.` });
      await rohan.comments.markRead({ subject: { projectId }, upToSeq: 1 });
      await rohan.comments.create({
        ...{ subject: { projectId }, text: "The last", visibility: "client", clientCommentId: randomUUID() },
      });
      await untilNotified('"kind":"comment"');
      const received = await stop({
        ...{ "comments.onChange": `${text}.`, "comments.onChange (of the project)": "The last" },
      });
      // When it was asked for stands in the packed bytes of the document.
      const downloads = world.downloads?.filter((path) => !path.endsWith(".pdf")) ?? [];
      return comparable([JSON.stringify(own), ...(await answersOf({ ...world, downloads })), ...received]);
    }),
  );
  if (!withTeam || !without) throw new Error("there are two worlds");
  expectSameSight(withTeam, without);
  expect(withTeam.texts.join("\n")).not.toMatch(/secret(?!"\})/i);
});
