import { type AnyColumn, and, desc, eq, exists, ilike, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Db } from "../../db/client";
import { containsPattern, isAnyOf, searchedText, wordsOf } from "../../db/expressions";
import { comments, conversations, discussions, messages, projects, tasks, users } from "../../db/schema";
import { otherId, participating } from "../chat/policy";
import { audienceOf, shownTo } from "../comments/policy";
import { splitMentions } from "../contract/mentions";
import { MESSAGES } from "../contract/messages";
import { codePoints } from "../contract/text";
import type { FoundComment, FoundMessage } from "../contract/views";
import type { Actor } from "../core/context";
import { visibleTo } from "../projects/policy";
import { findPeople, personColumns } from "../users/queries";
import { excerptOf } from "./excerpts";

/*
 * Texts are found newest first, in two steps whose cost does not follow the number of texts. The newest of all are looked through
 * one by one: there a common word has been found often enough. What is left are words that few texts hold, or few that the actor
 * sees, and the indexes find those: of words, and of what the actor sees.
 */

/** About the square root of 8 times 25,000: as many again are then left to the indexes at most, where every one costs as much. */
const MAX_LOOKED_THROUGH = 400;
/** What a trigram is made of. */
const MIN_LETTERS = 3;

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
  const [first, ...others] = conditionsOf(q);
  const ofAll = visibleTo(actor)
    ? and(isAnyOf(comments.discussionId, seen), isShown, first(indexed), ...others.map((holds) => holds(text)))
    : and(first(indexed), ...others.map((holds) => holds(indexed)));
  return {
    ofNewest: db
      .select({ id: comments.id })
      .from(newest)
      .innerJoin(discussions, eq(discussions.id, comments.discussionId))
      .innerJoin(projects, eq(projects.id, discussions.projectId))
      .where(and(visibleTo(actor), isShown, first(text), ...others.map((holds) => holds(text))))
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
  const [first, ...others] = conditionsOf(q);
  // Of who has no conversation nothing is read.
  const isOwn = and(exists(own), isAnyOf(messages.conversationId, own));
  return {
    ofNewest: db
      .select({ id: messages.id })
      .from(newest)
      .innerJoin(conversations, eq(conversations.id, messages.conversationId))
      .where(and(participating(actor), first(text), ...others.map((holds) => holds(text))))
      .orderBy(...newestFirst)
      .limit(limit),
    ofAll: newestOf(
      db
        .select({ id: messages.id, createdAt: messages.createdAt })
        .from(messages)
        .where(and(isOwn, first(messages.text), ...others.map((holds) => holds(text)))),
      limit,
    ),
  };
}

/** Of all rows, found first and sorted then: with a limit in sight PostgreSQL would walk from the newest text on, to the oldest for what is rare. */
function newestOf(rows: SQLWrapper, limit: number): SQL {
  return sql`(with found as materialized ${rows} select id from found order by created_at desc, id desc limit ${limit})`;
}

type Condition = (text: AnyColumn | SQL<string>) => SQL;

/**
 * Every word of the query, in any order, the longest first: over the indexed text each is found by its index, over another expression
 * of it the text is looked through. PostgreSQL expects so few texts with two words that it no longer combines their index with the one
 * of what the actor sees, so that there only the first word, likely the rarest, goes by the index.
 *
 * From three letters on as a piece of any word, by trigrams; shorter ones as whole words, by full text. To ask for both of each word
 * made PostgreSQL read the words of every row that it found: seven times as long.
 */
function conditionsOf(q: string): [Condition, ...Condition[]] {
  const words = wordsIn(q);
  const long = words.filter(isLong).toSorted((one, other) => other.length - one.length);
  const short = words.filter((word) => !isLong(word));
  const conditions = long.map(
    (word): Condition =>
      (text) =>
        ilike(text, unforeseen(containsPattern(word))),
  );
  if (short.length > 0) {
    conditions.push((text) => sql`${wordsOf(text)} @@ plainto_tsquery('simple', ${unforeseen(short.join(" "))})`);
  }
  // Signs alone are in no index.
  const [first = (text) => sql`strpos(${text} || '', ${q}) > 0`, ...others] = conditions;
  return [first, ...others];
}

function wordsIn(q: string): string[] {
  return q.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
}

function isLong(word: string): boolean {
  return codePoints(word) >= MIN_LETTERS;
}

/**
 * A value that plans do not depend on. Of a word that it takes for common PostgreSQL reads all texts that the actor sees, or all there
 * are; taken for rare, the indexes of words and of what the actor sees are combined before a text is read.
 */
function unforeseen(text: string): SQL {
  return sql`(select ${text}::text)`;
}
