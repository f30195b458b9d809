import type { Visibility } from "@db/enums";
import { and, asc, eq, inArray, isNull, ne, or, sql } from "drizzle-orm";
import type { Db } from "../../db/client";
import { holds } from "../../db/expressions";
import { discussions, projects, tasks, users } from "../../db/schema";
import type { Subject } from "../contract/subjects";
import type { Person } from "../contract/views";
import type { Actor } from "../core/context";
import { involvingPerson, visibleTo } from "../projects/policy";
import { personColumns, shownName } from "../users/queries";
import { audienceOf, NUMBERS, numberOf } from "./policy";

/** A project, or a task of it: where comments stand. */
export interface Place {
  projectId: string;
  taskId: string | null;
}

/** What comments are about, as one side counts them. */
export interface Discussed extends Place {
  clientCollaboration: boolean;
  /** Null before the first comment of all, which a client cannot tell from one without theirs. */
  discussionId: string | null;
  lastSeq: number;
  lastChange: number;
}

/** A subject that the actor may see, or null: not theirs and not there are the same. */
export async function findDiscussed(
  db: Db,
  { subject, actor }: { subject: Subject; actor: Actor },
): Promise<Discussed | null> {
  const { lastSeqOfAll, lastChangeOfAll } = NUMBERS[audienceOf(actor)];
  const columns = {
    projectId: projects.id,
    clientCollaboration: projects.clientCollaboration,
    discussionId: discussions.id,
    lastSeq: numberOf(sql`coalesce(${lastSeqOfAll}, 0)`),
    lastChange: numberOf(sql`coalesce(${lastChangeOfAll}, 0)`),
  };
  const ofTask = "taskId" in subject;
  const [row] = ofTask
    ? await db
        .select({ ...columns, taskId: tasks.id })
        .from(tasks)
        .innerJoin(projects, eq(projects.id, tasks.projectId))
        .leftJoin(discussions, eq(discussions.taskId, tasks.id))
        .where(and(eq(tasks.id, subject.taskId), visibleTo(actor)))
    : await db
        .select({ ...columns, taskId: sql<null>`null` })
        .from(projects)
        .leftJoin(discussions, and(eq(discussions.projectId, projects.id), isNull(discussions.taskId)))
        .where(and(eq(projects.id, subject.projectId), visibleTo(actor)));
  return row ?? null;
}

/** Active people who see what is written there, by name: those of the project and all admins; for the team's comments no clients. */
export async function listReaders(
  db: Db,
  { projectId, audience, ids }: { projectId: string; audience: Visibility; ids?: readonly string[] },
): Promise<Person[]> {
  return db
    .select(personColumns)
    .from(users)
    .innerJoin(projects, eq(projects.id, projectId))
    .where(
      and(
        ids && inArray(users.id, [...ids]),
        eq(users.accountStatus, "active"),
        or(holds(users.accountType, "admin"), involvingPerson(users)),
        audience === "team" ? ne(users.accountType, "client") : undefined,
      ),
    )
    .orderBy(asc(sql`lower(${shownName(users)})`), asc(users.id));
}
