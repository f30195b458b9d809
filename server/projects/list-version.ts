import type { AccountType } from "@db/enums";
import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { type Db, perDatabase } from "../../db/client";
import { isAnyOf, rowVersion } from "../../db/expressions";
import { projectMembers, projects, users } from "../../db/schema";
import type { Actor } from "../core/context";
import { involving, type Viewer, visibleTo } from "./policy";

type Scope = "mine" | "all";

/**
 * Another text after every change of what any page of that list may show: of its projects, each of which is written with all
 * that happens under it, or of anybody whom it may name. Search and filter choose among these.
 */
export async function findListVersion(
  db: Db,
  { actor, scope }: { actor: Pick<Actor, "id" | "accountType">; scope: Scope },
): Promise<string> {
  const [row] = await listVersion(db, actor.accountType, scope).execute({ actorId: actor.id });
  return row?.version ?? "";
}

const listVersion = perDatabase((db, accountType: AccountType, scope: Scope) =>
  db
    .select({ version: listVersionOf({ id: sql.placeholder("actorId"), accountType }, scope) })
    .from(sql`(values (1)) as one`)
    .prepare(`list_version_${scope}_${accountType}`),
);

/** The same as part of another statement. */
export function listVersionOf(viewer: Viewer, scope: Scope): SQL<string> {
  const listed = alias(projects, "listed");
  const from = sql`from ${sql.identifier("listed")}`;
  // Those whom a list names: nobody else is read, however many there are.
  const people = sql`select ${listed.createdBy} ${from} union select ${listed.clientId} ${from}
    union select unnest(${listed.taskAssigneeIds}) ${from}
    union select ${projectMembers.userId} from ${projectMembers} where ${isAnyOf(projectMembers.projectId, sql`select ${listed.id} ${from}`)}`;
  return sql<string>`(with ${sql.identifier("listed")} as materialized (
      select ${projects.id}, ${projects.createdBy}, ${projects.clientId}, ${projects.taskAssigneeIds},
        ${hashOf(projects)} as row_hash
      from ${projects} where ${scope === "all" ? (visibleTo(viewer) ?? sql`true`) : involving(viewer)})
    select concat_ws(' ', count(*), sum(row_hash),
      (select sum(${hashOf(users)}) from ${users} where ${isAnyOf(users.id, people)}))
    ${from})`;
}

/** Of a row as it is: the sum over some rows says which ones they are, in whatever order. */
function hashOf(table: typeof projects | typeof users): SQL {
  return sql`hashtextextended(${table.id} || ${rowVersion(table)}, 0)`;
}
