import { and, desc, eq, exists, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Db } from "../../db/client";
import { isAnyOf, requestText, searchedText } from "../../db/expressions";
import { comments, conversations, discussions, messages, projects, requests, tasks, users } from "../../db/schema";
import { otherId, participating } from "../chat/policy";
import { audienceOf, shownTo } from "../comments/policy";
import { splitMentions } from "../contract/mentions";
import { MESSAGES } from "../contract/messages";
import type { FoundComment, FoundMessage, FoundRequest } from "../contract/views";
import type { Actor } from "../core/context";
import { visibleTo } from "../projects/policy";
import { findPeople, personColumns } from "../users/queries";
import { matcherOf } from "./conditions";
import { excerptOf } from "./excerpts";

/*
 * Texts are found newest first, in two steps whose cost does not follow the number of texts. The newest of all are looked through
 * one by one: there a common word has been found often enough. What is left are words that few texts hold, or few that the actor
 * sees, and the indexes find those: of words, and of what the actor sees.
 */

/** About the square root of 8 times 25,000: as many again are then left to the indexes at most, where every one costs as much. */
export const MAX_LOOKED_THROUGH = 400;
interface Search {
  q: string;
  actor: Actor;
  limit: number;
}

/** Comments that the actor may see, newest first, with the present names of whom they mention. */
export async function searchComments(db: Db, search: Search): Promise<FoundComment[]> {
  const rows = await findNewest(search, commentCandidates(db, search), (candidates) =>
    db
      .select({
        id: comments.id,
        text: comments.text,
        mentions: comments.mentions,
        projectId: discussions.projectId,
        taskId: discussions.taskId,
        taskNumber: tasks.number,
        project: { id: projects.id, key: projects.key, title: projects.title },
      })
      .from(comments)
      .innerJoin(discussions, eq(discussions.id, comments.discussionId))
      .innerJoin(projects, eq(projects.id, discussions.projectId))
      .leftJoin(tasks, eq(tasks.id, discussions.taskId))
      .where(isAnyOf(comments.id, candidates))
      .orderBy(desc(comments.createdAt), desc(comments.id)),
  );
  const people = await findPeople(
    db,
    rows.flatMap(({ mentions }) => mentions),
  );
  const nameOf = (id: string) => people.find((person) => person.id === id)?.name ?? MESSAGES.projects.unknownUser;
  return rows.map(({ text, mentions: _, ...comment }) => {
    const parts = splitMentions(text).map((part) => (part.type === "text" ? part.text : `@${nameOf(part.id)}`));
    return { ...comment, excerpt: excerptOf(parts.join(""), search.q) };
  });
}

/** Messages of the actor's own conversations, newest first. */
export async function searchMessages(db: Db, search: Search): Promise<FoundMessage[]> {
  const rows = await findNewest(search, messageCandidates(db, search), (candidates) =>
    db
      .select({
        id: messages.id,
        conversationId: messages.conversationId,
        text: messages.text,
        otherUser: { id: users.id, name: personColumns.name },
      })
      .from(messages)
      .innerJoin(conversations, eq(conversations.id, messages.conversationId))
      .innerJoin(users, eq(users.id, otherId(search.actor)))
      .where(isAnyOf(messages.id, candidates))
      .orderBy(desc(messages.createdAt), desc(messages.id)),
  );
  return rows.map(({ text, ...message }) => ({ ...message, excerpt: excerptOf(text, search.q) }));
}

/** Requests of projects that the actor may see: the newest, and of these first those whose title holds the words. */
export async function searchRequests(db: Db, search: Search): Promise<FoundRequest[]> {
  const { id, title, text, status, createdAt } = requests;
  const inTitle = matcherOf(search.q)(title);
  const rows = await findNewest(search, requestCandidates(db, search), (candidates) =>
    db
      .select({ id, title, status, text, project: { id: projects.id, key: projects.key, title: projects.title } })
      .from(requests)
      .innerJoin(projects, eq(projects.id, requests.projectId))
      .where(isAnyOf(id, candidates))
      .orderBy(desc(sql`(${inTitle})`), desc(createdAt), desc(id)),
  );
  return rows.map(({ text: whole, ...request }) => ({ ...request, excerpt: excerptOf(whole, search.q) }));
}

/** Queries for the ids of what matches, the newest of it. */
interface Candidates {
  /** Among the newest texts of all. */
  ofNewest: SQLWrapper;
  /** Among all. */
  ofAll: SQLWrapper;
}

async function findNewest<Row>(
  { limit }: Search,
  { ofNewest, ofAll }: Candidates,
  find: (candidates: SQLWrapper) => PromiseLike<Row[]>,
): Promise<Row[]> {
  const rows = await find(ofNewest);
  return rows.length === limit ? rows : find(ofAll);
}

function commentCandidates(db: Db, { q, actor, limit }: Search): Candidates {
  const newestFirst = [desc(comments.createdAt), desc(comments.id)];
  // Under the table's own name, so that policies speak of it.
  const newest = db
    .select()
    .from(comments)
    .orderBy(...newestFirst)
    .limit(MAX_LOOKED_THROUGH)
    .as("comments");
  const indexed = searchedText(comments.text);
  // To cut mentions out takes longer than to look for a word.
  const text = sql<string>`case when ${comments.mentions} = '{}' then ${comments.text} else ${indexed} end`;
  const isShown = shownTo(audienceOf(actor));
  const seen = db
    .select({ id: discussions.id })
    .from(discussions)
    .innerJoin(projects, eq(projects.id, discussions.projectId))
    .where(visibleTo(actor));
  const matches = matcherOf(q);
  const ofAll = visibleTo(actor)
    ? and(isAnyOf(comments.discussionId, seen), isShown, matches(indexed, text))
    : matches(indexed);
  return {
    ofNewest: db
      .select({ id: comments.id })
      .from(newest)
      .innerJoin(discussions, eq(discussions.id, comments.discussionId))
      .innerJoin(projects, eq(projects.id, discussions.projectId))
      .where(and(visibleTo(actor), isShown, matches(text)))
      .orderBy(...newestFirst)
      .limit(limit),
    ofAll: newestOf(db.select({ id: comments.id, createdAt: comments.createdAt }).from(comments).where(ofAll), limit),
  };
}

function messageCandidates(db: Db, { q, actor, limit }: Search): Candidates {
  const newestFirst = [desc(messages.createdAt), desc(messages.id)];
  const newest = db
    .select()
    .from(messages)
    .orderBy(...newestFirst)
    .limit(MAX_LOOKED_THROUGH)
    .as("messages");
  const own = db.select({ id: conversations.id }).from(conversations).where(participating(actor));
  const text = sql<string>`(${messages.text} || '')`;
  const matches = matcherOf(q);
  // Of who has no conversation nothing is read.
  const isOwn = and(exists(own), isAnyOf(messages.conversationId, own));
  return {
    ofNewest: db
      .select({ id: messages.id })
      .from(newest)
      .innerJoin(conversations, eq(conversations.id, messages.conversationId))
      .where(and(participating(actor), matches(text)))
      .orderBy(...newestFirst)
      .limit(limit),
    ofAll: newestOf(
      db
        .select({ id: messages.id, createdAt: messages.createdAt })
        .from(messages)
        .where(and(isOwn, matches(messages.text, text))),
      limit,
    ),
  };
}

function requestCandidates(db: Db, { q, actor, limit }: Search): Candidates {
  const newestFirst = [desc(requests.createdAt), desc(requests.id)];
  const newest = db
    .select()
    .from(requests)
    .orderBy(...newestFirst)
    .limit(MAX_LOOKED_THROUGH)
    .as("requests");
  const indexed = requestText(requests);
  const text = sql<string>`(${indexed} || '')`;
  const matches = matcherOf(q);
  const seen = db.select({ id: projects.id }).from(projects).where(visibleTo(actor));
  const isSeen = visibleTo(actor) && isAnyOf(requests.projectId, seen);
  return {
    ofNewest: db
      .select({ id: requests.id })
      .from(newest)
      .innerJoin(projects, eq(projects.id, requests.projectId))
      .where(and(visibleTo(actor), matches(text)))
      .orderBy(...newestFirst)
      .limit(limit),
    ofAll: newestOf(
      db
        .select({ id: requests.id, createdAt: requests.createdAt })
        .from(requests)
        .where(and(isSeen, matches(indexed, text))),
      limit,
    ),
  };
}

/** Of all rows, found first and sorted then: with a limit in sight PostgreSQL would walk from the newest text on, to the oldest for what is rare. */
function newestOf(rows: SQLWrapper, limit: number): SQL {
  return sql`(with found as materialized ${rows} select id from found order by created_at desc, id desc limit ${limit})`;
}
