import { and, asc, desc, eq, exists, ilike, or, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { Db } from "../../db/client";
import { containsPattern, holds, startsPattern } from "../../db/expressions";
import { projects, tasks, users } from "../../db/schema";
import type { SearchResults } from "../contract/views";
import type { Actor } from "../core/context";
import { involvingPerson, visibleTo } from "../projects/policy";
import { personColumns } from "../users/queries";
import { searchFiles } from "./file-names";
import { searchComments, searchMessages, searchRequests } from "./texts";

const MAX_RESULTS = 8;

/**
 * Projects by title, key and description, tasks by title and by a key such as HBP-12, people by name: of what the actor may
 * see, titles that begin with the query first, then newest first. Comments, requests by title and text, messages of own
 * conversations and names of files, newest first. For a caller who is not the actor there are no messages, nor their files: only the two of a conversation read it.
 */
export async function searchAll(
  db: Db,
  { q: asked, actor, callerId }: { q: string; actor: Actor; callerId: string },
): Promise<SearchResults> {
  // A name that is pasted from a Mac's folders has its accents apart.
  const q = asked.normalize("NFC");
  const ownsMessages = callerId === actor.id;
  const texts = { q, actor, limit: MAX_RESULTS };
  const [foundProjects, foundTasks, people, comments, messages, foundRequests, foundFiles] = await Promise.all([
    searchProjects(db, { q, actor }),
    searchTasks(db, { q, actor }),
    searchPeople(db, { q, actor }),
    searchComments(db, texts),
    ownsMessages ? searchMessages(db, texts) : [],
    searchRequests(db, texts),
    searchFiles(db, { ...texts, ownsMessages }),
  ]);
  return {
    ...{ projects: foundProjects, tasks: foundTasks, people, comments, messages },
    ...{ requests: foundRequests, files: foundFiles },
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

function contains(text: AnyPgColumn | SQL, q: string): SQL {
  return ilike(text, containsPattern(q));
}

function startsWith(text: AnyPgColumn | SQL, q: string): SQL {
  return ilike(text, startsPattern(q));
}
