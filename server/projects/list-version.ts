import type { AccountType } from "@db/enums";
import { type SQL, sql } from "drizzle-orm";
import { type Db, perDatabase } from "../../db/client";
import { rowVersion } from "../../db/expressions";
import { projects, users } from "../../db/schema";
import type { Actor } from "../core/context";
import { involving, type Viewer, visibleTo } from "./policy";

type Scope = "mine" | "all";

/**
 * Another text after every change of what any page of that list may show: of its projects, each of which is written with all
 * that happens under it, or of anybody whom it may name. Search and filter choose among these.
 */
export async function findListVersion(db: Db, { actor, scope }: { actor: Actor; scope: Scope }): Promise<string> {
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
  const where = scope === "all" ? visibleTo(viewer) : involving(viewer);
  return sql<string>`(${versionOf(projects, { where })} || ' ' || ${versionOf(users)})`;
}

/** Of all rows: their number and a sum of hashes, for which their order is nothing. */
function versionOf(table: typeof projects | typeof users, { where }: { where?: SQL | undefined } = {}): SQL<string> {
  return sql<string>`(select concat_ws(' ', count(*), sum(hashtextextended(${table.id} || ${rowVersion(table)}, 0)))
    from ${table}${where && sql` where ${where}`})`;
}
