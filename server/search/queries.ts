import { type AnyColumn, and, asc, desc, eq, exists, ilike, isNotNull, or, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { Db } from "../../db/client";
import { containsPattern, holds, searchedText, startsPattern, wordsOf } from "../../db/expressions";
import { comments, conversations, discussions, files, messages, projects, tasks, users } from "../../db/schema";
import { otherId, participating } from "../chat/policy";
import { visibleCommentsTo } from "../comments/policy";
import { splitMentions } from "../contract/mentions";
import { MESSAGES } from "../contract/messages";
import { codePoints } from "../contract/text";
import type { FoundComment, SearchResults } from "../contract/views";
import type { Actor } from "../core/context";
import { readableBy } from "../files/policy";
import { fileColumns } from "../files/queries";
import { involvingPerson, visibleTo } from "../projects/policy";
import { findPeople, personColumns } from "../users/queries";

const MAX_RESULTS = 8;
/** What a trigram is made of. */
const MIN_LETTERS = 3;
const EXCERPT_LETTERS = 120;
const LETTERS_BEFORE = 16;

/**
 * Projects by title, key and description, tasks by title and by a key such as HBP-12, people by name: of what the actor may
 * see, titles that begin with the query first, then newest first. Comments, messages of own conversations and names of files,
 * newest first.
 */
export async function searchAll(db: Db, { q, actor }: { q: string; actor: Actor }): Promise<SearchResults> {
  const [foundProjects, foundTasks, people, foundComments, foundMessages, foundFiles] = await Promise.all([
    searchProjects(db, { q, actor }),
    searchTasks(db, { q, actor }),
    searchPeople(db, { q, actor }),
    searchComments(db, { q, actor }),
    searchMessages(db, { q, actor }),
    searchFiles(db, { q, actor }),
  ]);
  return {
    projects: foundProjects,
    tasks: foundTasks,
    people,
    comments: await excerptsOf(db, { rows: foundComments, q }),
    messages: foundMessages.map(({ text, ...message }) => ({ ...message, excerpt: excerptOf(text, q) })),
    files: foundFiles,
  };
}

function searchProjects(db: Db, { q, actor }: { q: string; actor: Actor }) {
  const hasKey = sql`upper(${q}) = ${projects.key}`;
  return db
    .select({ id: projects.id, key: projects.key, title: projects.title, status: projects.status })
    .from(projects)
    .where(and(visibleTo(actor), or(hasKey, contains(projects.title, q), contains(projects.description, q))))
    .orderBy(
      desc(hasKey),
      desc(startsWith(projects.title, q)),
      desc(contains(projects.title, q)),
      desc(projects.createdAt),
    )
    .limit(MAX_RESULTS);
}

function searchTasks(db: Db, { q, actor }: { q: string; actor: Actor }) {
  const hasKey = sql`upper(${q}) = ${projects.key} || '-' || ${tasks.number}`;
  return db
    .select({
      id: tasks.id,
      number: tasks.number,
      title: tasks.title,
      status: tasks.status,
      completed: holds(tasks.status, "completed"),
      project: { id: projects.id, key: projects.key, title: projects.title },
    })
    .from(tasks)
    .innerJoin(projects, eq(projects.id, tasks.projectId))
    .where(and(visibleTo(actor), or(hasKey, contains(tasks.title, q))))
    .orderBy(
      desc(hasKey),
      asc(holds(tasks.status, "completed")),
      desc(startsWith(tasks.title, q)),
      desc(tasks.createdAt),
      asc(tasks.number),
    )
    .limit(MAX_RESULTS);
}

/** Employees find every active person; clients those who share a project with them. */
function searchPeople(db: Db, { q, actor }: { q: string; actor: Actor }) {
  const { name } = personColumns;
  const sharesProject = exists(
    db
      .select({ id: projects.id })
      .from(projects)
      .where(and(visibleTo(actor), involvingPerson(users))),
  );
  return db
    .select(personColumns)
    .from(users)
    .where(
      and(
        eq(users.accountStatus, "active"),
        contains(name, q),
        actor.accountType === "client" ? sharesProject : undefined,
      ),
    )
    .orderBy(desc(startsWith(name, q)), asc(sql`lower(${name})`), asc(users.id))
    .limit(MAX_RESULTS);
}

function searchComments(db: Db, { q, actor }: { q: string; actor: Actor }) {
  return db
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
    .where(and(visibleCommentsTo(actor), says(searchedText(comments.text), q)))
    .orderBy(desc(comments.createdAt), desc(comments.id))
    .limit(MAX_RESULTS);
}

function searchMessages(db: Db, { q, actor }: { q: string; actor: Actor }) {
  return db
    .select({
      id: messages.id,
      conversationId: messages.conversationId,
      text: messages.text,
      otherUser: { id: users.id, name: personColumns.name },
    })
    .from(messages)
    .innerJoin(conversations, eq(conversations.id, messages.conversationId))
    .innerJoin(users, eq(users.id, otherId(actor)))
    .where(and(participating(actor), says(messages.text, q)))
    .orderBy(desc(messages.createdAt), desc(messages.id))
    .limit(MAX_RESULTS);
}

/** Of what hangs on something: pictures of people are not looked for, nor what nobody has attached yet. */
function searchFiles(db: Db, { q, actor }: { q: string; actor: Actor }) {
  const isAttached = or(isNotNull(files.projectId), isNotNull(files.messageId));
  return db
    .select(fileColumns)
    .from(files)
    .where(and(isAttached, readableBy(actor), contains(files.name, q)))
    .orderBy(desc(startsWith(files.name, q)), desc(files.createdAt), desc(files.id))
    .limit(MAX_RESULTS);
}

/**
 * Every word of the query, in any order. From three letters on as a piece of any word, by trigrams; a shorter one as a whole word, by
 * full text. To ask for both of each word made PostgreSQL read the words of every row that it found: seven times as long.
 */
function says(text: AnyColumn | SQL<string>, q: string): SQL | undefined {
  const words = q.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  if (words.length === 0) return ilike(text, containsPattern(q));
  const [long, short] = [words.filter(isLong), words.filter((word) => !isLong(word))];
  const isShortMatch = short.length > 0 && sql`${wordsOf(text)} @@ plainto_tsquery('simple', ${short.join(" ")})`;
  return and(...long.map((word) => ilike(text, containsPattern(word))), isShortMatch || undefined);
}

function isLong(word: string): boolean {
  return codePoints(word) >= MIN_LETTERS;
}

/** Comments as they are found, whoever they mention by name. */
async function excerptsOf(
  db: Db,
  { rows, q }: { rows: Awaited<ReturnType<typeof searchComments>>; q: string },
): Promise<FoundComment[]> {
  const people = await findPeople(
    db,
    rows.flatMap(({ mentions }) => mentions),
  );
  const nameOf = (id: string) => people.find((person) => person.id === id)?.name ?? MESSAGES.projects.unknownUser;
  return rows.map(({ text, mentions: _, ...comment }) => {
    const parts = splitMentions(text).map((part) => (part.type === "text" ? part.text : `@${nameOf(part.id)}`));
    return { ...comment, excerpt: excerptOf(parts.join(""), q) };
  });
}

/** One line about where the query stands in a text, else its beginning. */
function excerptOf(text: string, q: string): string {
  const line = text.replace(/\s+/g, " ");
  const [word = q] = q.split(/\s+/);
  const places = [q, word].map((part) => line.toLowerCase().indexOf(part.toLowerCase()));
  const at = places.find((place) => place >= 0) ?? 0;
  const from = at <= LETTERS_BEFORE ? 0 : line.indexOf(" ", at - LETTERS_BEFORE) + 1;
  const shown = [...line.slice(from)].slice(0, EXCERPT_LETTERS).join("");
  return `${from > 0 ? "…" : ""}${shown}${from + shown.length < line.length ? "…" : ""}`;
}

function contains(text: AnyPgColumn | SQL, q: string): SQL {
  return ilike(text, containsPattern(q));
}

function startsWith(text: AnyPgColumn | SQL, q: string): SQL {
  return ilike(text, startsPattern(q));
}
