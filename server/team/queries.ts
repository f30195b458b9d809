import { and, asc, eq, sql } from "drizzle-orm";
import type { Db } from "../../db/client";
import { holds, jsonArray, jsonObject } from "../../db/expressions";
import { projects, users } from "../../db/schema";
import type { TeamMember } from "../contract/views";
import type { Actor } from "../core/context";
import { involvingPerson, visibleTo } from "../projects/policy";
import { personColumns } from "../users/queries";

/** All active people by name, each with those of their projects that the actor may see. E-mails of staff only. */
export async function listTeam(db: Db, { actor }: { actor: Actor }): Promise<TeamMember[]> {
  const theirs = db
    .select({
      list: jsonArray(jsonObject({ id: projects.id, title: projects.title }), {
        orderBy: sql`lower(${projects.title}), ${projects.id}`,
      }).as("list"),
    })
    .from(projects)
    .where(and(visibleTo(actor), involvingPerson(users)))
    .as("theirs");
  return db
    .select({
      ...personColumns,
      email: sql<string | null>`case when not ${holds(users.accountType, "client")} then ${users.email} end`,
      projects: theirs.list,
    })
    .from(users)
    .innerJoinLateral(theirs, sql`true`)
    .where(eq(users.accountStatus, "active"))
    .orderBy(asc(sql`lower(${personColumns.name})`), asc(users.id));
}
