import type { MemberRole } from "@db/enums";
import { desc, eq, type SQL, sql } from "drizzle-orm";
import { type AnyPgColumn, alias } from "drizzle-orm/pg-core";
import type { Db, Tx } from "../../db/client";
import {
  aliased as asJson,
  columnValue,
  eachOf,
  holds,
  isAnyOf,
  isoInstant,
  jsonArray,
  jsonFields,
  orEmpty,
  whenPresent,
} from "../../db/expressions";
import { projectMembers, projects, repositories, users } from "../../db/schema";
import type { CommitView, Person } from "../contract/views";
import { personJson } from "../users/queries";

/** Of a project, what not every reading shows. */
type OwnColumns = {
  changeSeq: SQL<number>;
  commitView: SQL<CommitView>;
  /** The link as the project's client gets it: a public repository shows what is hidden or masked. */
  clientRepo: SQL<string | null>;
  hiddenSeq: SQL<number | null>;
};

/** The order of lists. */
export function newestFirst(project: { createdAt: AnyPgColumn; id: AnyPgColumn }): SQL[] {
  return [desc(project.createdAt), desc(project.id)];
}

/**
 * A query for projects with their people and counts, newest first, and the common table expressions that it reads. What
 * belongs to a project is grouped once for all of the page (looked up project by project, 300 of them took five times as
 * long), and no task is read: `projects` has what is shown of them. `extra` are columns after those of every reading.
 */
export function selectProjectRows<Extra extends Record<string, SQL>>(
  db: Db | Tx,
  { where, extra }: { where: SQL | undefined; extra: (own: OwnColumns) => Extra },
) {
  const page = db.$with("page").as(
    db
      .select()
      .from(projects)
      .where(where)
      .orderBy(...newestFirst(projects)),
  );
  const onProject = db.$with("on_project").as(
    db
      .select()
      .from(projectMembers)
      .where(isAnyOf(projectMembers.projectId, db.select({ id: page.id }).from(page))),
  );
  const named = db.$with("named").as(
    db
      .select({ projectId: page.id, userId: page.createdBy })
      .from(page)
      .union(db.select({ projectId: onProject.projectId, userId: onProject.userId }).from(onProject))
      .union(db.select({ projectId: page.id, userId: eachOf(page.taskAssigneeIds) }).from(page)),
  );
  // Sorted, so that PostgreSQL makes the JSON of a person once and not again in each project.
  const person = db.$with("person").as(
    db
      .select({ id: users.id, username: users.username, shown: personJson(users).as("shown_person") })
      .from(users)
      .where(isAnyOf(users.id, db.selectDistinct({ id: named.userId }).from(named)))
      .orderBy(users.username),
  );
  const people = db
    .select({
      projectId: named.projectId,
      people: jsonArray(sql<Person>`${person.shown}`, { orderBy: person.username }).as("people"),
    })
    .from(named)
    .innerJoin(person, eq(person.id, named.userId))
    .groupBy(named.projectId)
    .as("people");
  const memberIds = (role: MemberRole) =>
    jsonArray(columnValue(onProject.userId), { orderBy: onProject.position, where: eq(onProject.role, role) });
  const members = db
    .select({
      projectId: onProject.projectId,
      assignedTo: memberIds("assigned").as("assigned_to"),
      managers: memberIds("manager").as("managers"),
      clientPeople: memberIds("client").as("client_people"),
    })
    .from(onProject)
    .groupBy(onProject.projectId)
    .as("members");
  const client = alias(users, "client");
  const rows = db
    .select(
      asJson({
        id: page.id,
        key: page.key,
        title: page.title,
        description: page.description,
        status: page.status,
        startDate: page.startDate,
        dueDate: page.dueDate,
        githubRepo: page.githubRepo,
        liveLink: page.liveLink,
        clientId: page.clientId,
        projectType: page.projectType,
        clientCollaboration: page.clientCollaboration,
        statusReminder: page.statusReminder,
        createdAt: isoInstant(page.createdAt),
        createdBy: page.createdBy,
        updatedAt: isoInstant(page.updatedAt),
        version: page.version,
        client: whenPresent(client.id, personJson(client)),
        assignedTo: orEmpty(members.assignedTo),
        managers: orEmpty(members.managers),
        clientPeople: orEmpty(members.clientPeople),
        people: orEmpty(people.people),
        taskCounts: jsonFields({ total: page.taskCount, completed: page.completedTaskCount }),
        ...extra({
          changeSeq: sql<number>`${page.changeSeq}`,
          commitView: jsonFields({
            mode: page.commitMode,
            maskedWords: sql<string[]>`array_to_json(${page.maskedWords})`,
          }),
          clientRepo: sql<string | null>`case when ${holds(page.commitMode, "titles")} and not ${namesMasked(page)}
            then ${page.githubRepo} end`,
          hiddenSeq: hiddenCommitsSeq(page),
        }),
      }),
    )
    .from(page)
    .leftJoin(client, eq(client.id, page.clientId))
    .leftJoin(members, eq(members.projectId, page.id))
    .leftJoin(people, eq(people.projectId, page.id))
    .orderBy(...newestFirst(page));
  return { tables: [page, onProject, named, person], page, rows };
}

/**
 * Where the client does not see which commits there are: the counter of their repository, since the project's own must not move with
 * them. Null elsewhere.
 */
export function hiddenCommitsSeq({
  repositoryId,
  commitMode,
}: Record<"repositoryId" | "commitMode", AnyPgColumn>): SQL<number | null> {
  return sql<number | null>`case when not ${holds(commitMode, "titles")} then
    (select ${repositories.changeSeq} from ${repositories} where ${eq(repositories.id, repositoryId)}) end`;
}

/** Whether a link holds a masked word, joined or with any sign between its parts. */
function namesMasked({ githubRepo, maskedWords }: Record<"githubRepo" | "maskedWords", AnyPgColumn>): SQL<boolean> {
  const letters = (text: SQL) => sql`regexp_replace(lower(${text}), '[\\s_-]', '', 'g')`;
  return sql<boolean>`exists (select from unnest(${maskedWords}) as word
    where position(${letters(sql`word`)} in ${letters(sql`${githubRepo}`)}) > 0)`;
}
