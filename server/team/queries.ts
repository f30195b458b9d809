import { and, asc, eq, ne, not, or, sql } from "drizzle-orm";
import type { Db } from "../../db/client";
import { holds, jsonArray, jsonObject, orEmpty } from "../../db/expressions";
import { projectMembers, projects, users } from "../../db/schema";
import type { TeamMember } from "../contract/views";
import type { Actor } from "../core/context";
import { visibleTo } from "../projects/policy";
import { personColumns } from "../users/queries";

/** All active people by name, each with those of their projects that the actor may see. E-mails of staff only. */
export async function listTeam(db: Db, { actor }: { actor: Actor }): Promise<TeamMember[]> {
  const { seen, theirs } = projectsByPerson(db, actor);
  return db
    .with(seen)
    .select({
      ...personColumns,
      email: sql<string | null>`case when not ${holds(users.accountType, "client")} then ${users.email} end`,
      projects: orEmpty(theirs.list),
    })
    .from(users)
    .leftJoin(theirs, eq(theirs.userId, users.id))
    .where(eq(users.accountStatus, "active"))
    .orderBy(asc(sql`lower(${personColumns.name})`), asc(users.id));
}

/** Grouped once for all people: looked up person by person, the cost grew with people times projects. */
function projectsByPerson(db: Db, actor: Actor) {
  const seen = db.$with("seen").as(db.select().from(projects).where(visibleTo(actor)));
  const project = { projectId: seen.id, title: seen.title };
  const asMember = db
    .select({ userId: projectMembers.userId, ...project })
    .from(seen)
    .innerJoin(projectMembers, eq(projectMembers.projectId, seen.id))
    .innerJoin(users, eq(users.id, projectMembers.userId))
    // Who is no client any more keeps nothing by having been one of a client's people.
    .where(or(not(holds(projectMembers.role, "client")), holds(users.accountType, "client")));
  // Null, where there is no client, is nobody's id.
  const asClient = db.select({ userId: sql<string>`${seen.clientId}`, ...project }).from(seen);
  const asCreator = db
    .select({ userId: seen.createdBy, ...project })
    .from(seen)
    .innerJoin(users, and(eq(users.id, seen.createdBy), ne(users.accountType, "client")));
  const involved = asMember.union(asClient).union(asCreator).as("involved");
  const theirs = db
    .select({
      userId: involved.userId,
      list: jsonArray(jsonObject({ id: involved.projectId, title: involved.title }), {
        orderBy: sql`lower(${involved.title}), ${involved.projectId}`,
      }).as("list"),
    })
    .from(involved)
    .groupBy(involved.userId)
    .as("theirs");
  return { seen, theirs };
}
