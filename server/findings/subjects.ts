import type { FindingKind } from "@db/client-enums";
import { and, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Db } from "../../db/client";
import { projects } from "../../db/schema";
import type { Actor } from "../core/context";
import { managedBy } from "../projects/policy";

/** Whose projects are looked at, or which one of them. */
export interface Asked {
  actor: Actor;
  projectId?: string | undefined;
}

/** The projects that are looked at. */
export function managedProjects(db: Db, { actor, projectId }: Asked) {
  const { id, key, status, createdAt, dueDate, liveLink, repositoryId } = projects;
  return db.$with("managed").as(
    db
      .select({
        ...{ id, key, status, createdAt, dueDate, liveLink, repositoryId },
        openTasks: sql<number>`${projects.taskCount} - ${projects.completedTaskCount}`.as("open_tasks"),
      })
      .from(projects)
      .where(and(managedBy(actor), projectId === undefined ? undefined : eq(id, projectId))),
  );
}
export type Managed = ReturnType<typeof managedProjects>;

/** The columns of one kind of finding, the same for all kinds. `count` is what the kind counts. */
export function foundColumns({
  projectId,
  taskId,
  kind,
  since,
  count,
}: {
  projectId: SQLWrapper;
  taskId?: SQLWrapper;
  kind: FindingKind;
  since: SQL;
  count?: SQL;
}) {
  return {
    projectId: sql<string>`${projectId}`.as("found_project"),
    taskId: sql<string | null>`${taskId ?? sql`null::uuid`}`.as("found_task"),
    kind: sql<FindingKind>`${kind}::text`.as("kind"),
    since: sql<Date>`${since}`.as("since"),
    count: sql<number | null>`(${count ?? sql`null`})::int`.as("count"),
  };
}
