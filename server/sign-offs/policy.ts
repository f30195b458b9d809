import { and, eq, exists, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import { projectMembers, projects, signOffs } from "../../db/schema";
import type { Actor } from "../core/context";
import { visibleTo } from "../projects/policy";

/**
 * Of `sign_offs` left joined with `projects`: those of visible projects, of a deleted project what oneself was asked, and always
 * what oneself has decided. All for admins.
 */
export function visibleSignOffsTo(actor: Actor): SQL | undefined {
  if (actor.accountType === "admin") return undefined;
  return or(
    and(isNotNull(projects.id), visibleTo(actor)),
    and(eq(signOffs.signerId, actor.id), or(isNull(projects.id), eq(signOffs.decidedBy, actor.id))),
  );
}

/** Of `projects`: whether that person manages it, or is an admin. */
export function mayManage({ id, accountType }: Actor): SQL<boolean> {
  if (accountType === "admin") return sql<boolean>`true`;
  const { projectId, userId, role } = projectMembers;
  const isManager = and(eq(projectId, projects.id), eq(userId, id), eq(role, "manager"));
  return sql<boolean>`${exists(sql`(select 1 from ${projectMembers} where ${isManager})`)}`;
}
