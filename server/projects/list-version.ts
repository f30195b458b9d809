import type { AccountType } from "@db/enums";
import { type SQL, sql } from "drizzle-orm";
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

const listVersion = perDatabase((db, accountType: AccountType, scope: Scope) => {
  const listed = listedProjects(db, { id: sql.placeholder("actorId"), accountType }, scope);
  return db
    .with(listed)
    .select({ version: versionOf(listed) })
    .from(sql`(values (1)) as one`)
    .prepare(`list_version_${scope}_${accountType}`);
});

/** The projects of a scope, read once for their version, their counts and the choice of a page. */
export function listedProjects(db: Db, viewer: Viewer, scope: Scope) {
  const { id, createdAt, createdBy, clientId, status, taskAssigneeIds } = projects;
  return db.$with("listed").as(
    db
      .select({ id, createdAt, createdBy, clientId, status, taskAssigneeIds, rowHash: hashOf(projects).as("row_hash") })
      .from(projects)
      .where(scope === "all" ? visibleTo(viewer) : involving(viewer)),
  );
}

/** What `findListVersion` answers, as part of another statement. */
export function versionOf(listed: ReturnType<typeof listedProjects>): SQL<string> {
  // Those whom a list names: nobody else is read, however many there are.
  const people = sql`select ${listed.createdBy} from ${listed} union select ${listed.clientId} from ${listed}
    union select unnest(${listed.taskAssigneeIds}) from ${listed}
    union select ${projectMembers.userId} from ${projectMembers} where ${isAnyOf(projectMembers.projectId, sql`select ${listed.id} from ${listed}`)}`;
  return sql<string>`(select concat_ws(' ', count(*), sum(${listed.rowHash}),
    (select sum(${hashOf(users)}) from ${users} where ${isAnyOf(users.id, people)})) from ${listed})`;
}

/** Of a row as it is: the sum over some rows says which ones they are, in whatever order. */
function hashOf(table: typeof projects | typeof users): SQL<string> {
  return sql`hashtextextended(${table.id} || ${rowVersion(table)}, 0)`;
}
