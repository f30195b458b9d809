import { ACCOUNT_TYPES, type AccountType } from "@db/enums";
import { and, eq, type SQL, sql } from "drizzle-orm";
import { type Db, perDatabase } from "../../db/client";
import { holds, type IdValue, quoted, rowVersion } from "../../db/expressions";
import { projects, repositories, users } from "../../db/schema";
import { selectSession, toSession } from "../auth/queries";
import { readProjectSchema } from "../contract/projects";
import type { Actor, Context, Session } from "../core/context";
import { heldTag, type Reply } from "../core/reply";
import { visibleTo } from "../projects/policy";

/**
 * Every change of tasks writes their project's row; commits come and go with their repository, of which a client may not know more
 * than the project shows.
 */
export function tasksVersion(accountType: AccountType): SQL<string> {
  const isShown = accountType === "client" ? holds(projects.commitMode, "titles") : undefined;
  return sql<string>`concat_ws(' ', ${rowVersion(projects)}, ${projects.changeSeq},
    (select ${repositories.changeSeq} from ${repositories} where ${and(eq(repositories.id, projects.repositoryId), isShown)}))`;
}

/** The version of what `readTasks` would answer now; null where it would. */
export async function findTasksVersion(
  { db, reply }: Pick<Context, "db" | "reply">,
  { projectId, actor }: { projectId: string; actor: Pick<Actor, "id" | "accountType"> },
): Promise<string | null> {
  const early = reply?.early;
  if (early?.actorId === actor.id && early.of === projectId) return early.version;
  const [row] = await versionOfTasks(db, actor.accountType).execute({ projectId, actorId: actor.id });
  return row?.version ?? null;
}

const versionOfTasks = perDatabase((db, accountType: AccountType) =>
  db
    .select({ version: tasksVersion(accountType) })
    .from(projects)
    .where(isShown({ id: sql.placeholder("actorId"), accountType }))
    .prepare("version_of_tasks"),
);

/**
 * Reads a session as `findSession` does, and in the same statement the version of the list that a request with tags asks for by
 * `input`, so that an unchanged one costs one round trip. Nothing is answered of it before the call has passed its checks.
 * Undefined for other requests.
 */
export function readEarly(
  db: Db,
  { reply, input }: { reply: Reply; input: unknown },
): ((token: string) => Promise<Session | null>) | undefined {
  const asked = readProjectSchema.safeParse(input);
  if (!asked.success || asked.data.asClientId !== undefined) return undefined;
  const { projectId } = asked.data;
  return async (token) => {
    const [row] = await sessionAndVersion(db).execute({ token, projectId });
    if (!row) return null;
    const { userId: actorId, version } = row;
    const session = toSession(token, row);
    const shown = { actor: session.actor, shownTo: session.actor, input: asked.data };
    const isHeld = heldTag(reply, { ...shown, version }) !== null;
    reply.early = { actorId, of: projectId, version, isHeld };
    return session;
  };
}

/** Whoever's session it is: their type decides what they see, and only the row says it. */
const sessionAndVersion = perDatabase((db) => {
  const versions = ACCOUNT_TYPES.map((accountType) => {
    const shown = isShown({ id: users.id, accountType });
    return sql`when ${quoted(ACCOUNT_TYPES, accountType)} then (select ${tasksVersion(accountType)} from ${projects} where ${shown})`;
  });
  const version = sql<string | null>`(case ${users.accountType} ${sql.join(versions, sql` `)} end)`;
  return selectSession(db, { version }).prepare("session_and_tasks_version");
});

function isShown(viewer: { id: IdValue; accountType: AccountType }): SQL | undefined {
  return and(eq(projects.id, sql.placeholder("projectId")), visibleTo(viewer));
}
