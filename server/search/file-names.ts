import { and, desc, eq, exists, getTableColumns, ilike, inArray, isNotNull, or, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../db/client";
import { containsPattern, isAnyOf, lowerCase } from "../../db/expressions";
import { conversations, files, messages, projects } from "../../db/schema";
import { participating } from "../chat/policy";
import type { File } from "../contract/views";
import type { Actor } from "../core/context";
import { shownTo } from "../files/policy";
import { fileColumns } from "../files/queries";
import { visibleTo } from "../projects/policy";
import { MAX_LOOKED_THROUGH } from "./texts";

/*
 * Names are found as texts are, in steps whose cost does not follow the number of files: among the newest of all, and then by the
 * indexes of names. Those that begin with the query come first, however old: an index of their own finds them. A query of one or
 * two letters that too few of them hold reads each name, as no trigram has so few.
 */

interface Search {
  q: string;
  actor: Actor;
  limit: number;
  /** Whether files of messages are looked for too. */
  ownsMessages: boolean;
}

/**
 * Files that hang on something and that the actor may see, by name: those that begin with the query first, then newest first. Pictures
 * of people are not looked for, nor what nobody has attached yet.
 */
export async function searchFiles(db: Db, search: Search): Promise<File[]> {
  const { q, limit } = search;
  const newest = await findFiles(db, { q, ids: amongNewest(db, search) });
  if (newest.length < limit) {
    return withoutRank(await findFiles(db, { q, ids: amongAll(db, search, contains(q)) }));
  }
  if (newest.every(({ begins }) => begins)) return withoutRank(newest);
  const beginning = await findFiles(db, { q, ids: amongAll(db, search, begins(q)) });
  return withoutRank([...beginning, ...newest.filter((file) => !file.begins)].slice(0, limit));
}

function findFiles(db: Db, { q, ids }: { q: string; ids: SQL }) {
  return db
    .select({ ...fileColumns, begins: begins(q) })
    .from(files)
    .where(isAnyOf(files.id, ids))
    .orderBy(desc(begins(q)), desc(files.createdAt), desc(files.id));
}

function withoutRank(found: (File & { begins: boolean })[]): File[] {
  return found.map(({ begins: _, ...file }) => file);
}

function amongNewest(db: Db, { q, actor, limit, ownsMessages }: Search): SQL {
  const newestFirst = [desc(files.createdAt), desc(files.id)];
  // Under the table's own name, so that policies speak of it.
  const newest = db
    .select(getTableColumns(files))
    .from(files)
    .orderBy(...newestFirst)
    .limit(MAX_LOOKED_THROUGH)
    .as("files");
  const isOfProject = visibleTo(actor) ? inArray(files.projectId, seenProjects(db, actor)) : isNotNull(files.projectId);
  // Of each message for itself: as a condition of files PostgreSQL would read the messages of all own conversations.
  const conversationId = sql`(select ${messages.conversationId} from ${messages} where ${eq(messages.id, files.messageId)})`;
  const isOfMessage = inArray(conversationId, ownConversations(db, actor));
  const isSeen = or(and(isOfProject, shownTo(actor)), ownsMessages ? isOfMessage : undefined);
  return db
    .select({ id: files.id })
    .from(newest)
    .where(and(contains(q), isSeen))
    .orderBy(desc(begins(q)), ...newestFirst)
    .limit(limit)
    .getSQL();
}

/** Found first and sorted then, those of projects and those of messages each by their own indexes. */
function amongAll(db: Db, { q, actor, limit, ownsMessages }: Search, matches: SQL): SQL {
  const [seen, own] = [seenProjects(db, actor), ownConversations(db, actor)];
  const ranked = { id: files.id, begins: begins(q).as("begins"), createdAt: files.createdAt };
  // Of who sees no project or has no conversation nothing is read.
  const isOfProject = visibleTo(actor) ? and(exists(seen), isAnyOf(files.projectId, seen)) : isNotNull(files.projectId);
  const ofProjects = db
    .select(ranked)
    .from(files)
    .where(and(isOfProject, shownTo(actor), matches));
  const ofMessages = db
    .select(ranked)
    .from(messages)
    .innerJoin(files, eq(files.messageId, messages.id))
    .where(and(exists(own), isAnyOf(messages.conversationId, own), matches));
  const found = ownsMessages ? sql`${ofProjects} union all ${ofMessages}` : ofProjects;
  return sql`(with found as materialized (${found}) select id from found order by begins desc, created_at desc, id desc limit ${limit})`;
}

function seenProjects(db: Db, actor: Actor) {
  return db.select({ id: projects.id }).from(projects).where(visibleTo(actor));
}

function ownConversations(db: Db, actor: Actor) {
  return db.select({ id: conversations.id }).from(conversations).where(participating(actor));
}

function contains(q: string): SQL {
  return ilike(files.name, containsPattern(q));
}

/** As `ilike` compares, which makes both small; by the index of names as they begin. */
function begins(q: string): SQL<boolean> {
  return sql<boolean>`(${lowerCase(files.name)} ^@ lower(${q}))`;
}
