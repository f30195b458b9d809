import { TURN_SIDES } from "@db/client-enums";
import { and, eq, exists, isNotNull, not, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { holds, quoted } from "../../db/expressions";
import { projectMembers, projects, signOffs, users } from "../../db/schema";
import type { Turn } from "../contract/views";
import type { Actor } from "../core/context";
import { involvingPerson, visibleTo } from "../projects/policy";

/** Of `sign_offs` left joined with `projects`: whether the project is there, and the actor sees it. */
export function isProjectVisibleTo(actor: Actor): SQL<boolean> {
  return sql<boolean>`(${and(isNotNull(projects.id), visibleTo(actor))})`;
}

const seen = alias(signOffs, "seen");

/**
 * Of `sign_offs`: those of visible projects, of a deleted project what oneself was asked, and always what oneself has decided. All
 * for admins. Their ids come from two indexes, so that the cost follows the actor's own; as one condition with `or` it followed
 * everybody's.
 */
export function visibleSignOffsTo(actor: Actor): SQL | undefined {
  if (actor.accountType === "admin") return undefined;
  const ofProject = eq(projects.id, seen.projectId);
  const isGone = sql`not exists (select 1 from ${projects} where ${ofProject})`;
  const asked = and(eq(seen.signerId, actor.id), or(eq(seen.decidedBy, actor.id), isGone));
  return sql`${signOffs.id} in (
    select ${seen.id} from ${signOffs} as ${sql.identifier("seen")} join ${projects} on ${ofProject} where ${visibleTo(actor)}
    union all select ${seen.id} from ${signOffs} as ${sql.identifier("seen")} where ${asked})`;
}

/** Of `projects`: whether that person manages it, or is an admin. */
export function mayManage({ id, accountType }: Actor): SQL<boolean> {
  if (accountType === "admin") return sql<boolean>`true`;
  const { projectId, userId, role } = projectMembers;
  const isManager = and(eq(projectId, projects.id), eq(userId, id), eq(role, "manager"));
  return sql<boolean>`${exists(sql`(select 1 from ${projectMembers} where ${isManager})`)}`;
}

/** Of `sign_offs`: who was asked. */
export const signers = alias(users, "signers");

const later = alias(signOffs, "later");

/**
 * Of `sign_offs` joined with `projects`: the client wants changes, and the firm has not asked again since that. A question that stood
 * already is no new one, and who asked again and took the question back has not; a completed project is done.
 */
export const isBeingChanged = and(
  holds(signOffs.status, "changes-requested"),
  not(holds(projects.status, "completed")),
  sql`not exists (select 1 from ${signOffs} as ${sql.identifier("later")} where ${and(
    eq(later.projectId, signOffs.projectId),
    sql`${later.askedAt} > ${signOffs.decidedAt}`,
    not(holds(later.status, "withdrawn")),
  )})`,
);

/**
 * Of `sign_offs` joined with `signers`, left joined with `projects`: who owes the next move. The client as long as the signer can
 * decide; nobody once the project is gone. Whoever does not see the project any more is not told what goes on in it.
 */
export function owing(actor: Actor): SQL<Turn["owes"]> {
  const isClient = and(holds(signers.accountType, "client"), holds(signers.accountStatus, "active"));
  const isAnswerable = and(
    holds(signOffs.status, "asked"),
    projects.clientCollaboration,
    isClient,
    involvingPerson(signers),
  );
  return sql<Turn["owes"]>`case when ${isAnswerable} then ${quoted(TURN_SIDES, "client")}
    when ${and(isBeingChanged, visibleTo(actor))} then ${quoted(TURN_SIDES, "firm")}
    else ${quoted(TURN_SIDES, "nobody")} end`;
}
