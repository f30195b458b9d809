import type { MemberRole } from "@db/enums";
import { and, eq, ilike, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import { type AnyPgColumn, alias } from "drizzle-orm/pg-core";
import { containsPattern } from "../../db/expressions";
import { projectMembers, projects, tasks, users } from "../../db/schema";
import type { ProjectFilter } from "../contract/projects";
import type { Viewer } from "./policy";

/** The board's filter as a condition on projects, or on what was read of them. */
export function filterCondition(
  filter: ProjectFilter,
  { actor, project }: { actor: Viewer; project: { id: AnyPgColumn; clientId: AnyPgColumn } },
): SQL | undefined {
  const withRole = (role: MemberRole) =>
    sql`exists (select 1 from ${projectMembers} where ${and(
      eq(projectMembers.projectId, project.id),
      eq(projectMembers.userId, actor.id),
      eq(projectMembers.role, role),
    )})`;
  switch (filter) {
    case "all":
      return undefined;
    case "client":
      return isNotNull(project.clientId);
    case "internal":
      return isNull(project.clientId);
    case "assigned":
      return withRole("assigned");
    case "managed":
      return withRole("manager");
  }
}

/** Whether the text occurs in a project's title, description, client or task titles. */
export function searchCondition(q: string): SQL | undefined {
  const pattern = containsPattern(q);
  const searched = alias(users, "searched_client");
  return or(
    ilike(projects.title, pattern),
    ilike(projects.description, pattern),
    sql`exists (select 1 from ${users} as ${sql.identifier("searched_client")} where ${and(
      eq(searched.id, projects.clientId),
      or(ilike(searched.displayName, pattern), ilike(searched.username, pattern)),
    )})`,
    sql`exists (select 1 from ${tasks} where ${and(eq(tasks.projectId, projects.id), ilike(tasks.title, pattern))})`,
  );
}
