import { and, asc, eq, lte } from "drizzle-orm";
import type { Db, Tx } from "./client";
import { commits, projects, repositories, signOffs, tasks, users } from "./schema";
import { columnsOf } from "./writes";

type SignOffTableRow = typeof signOffs.$inferSelect;

/** A sign-off of a whole project as it is now, with the commits until it is decided, without files; asked unless it says otherwise. */
export async function makeSignOff(
  db: Db | Tx,
  given: Partial<typeof signOffs.$inferInsert> & { projectId: string; signerId: string; askedBy: string },
): Promise<SignOffTableRow> {
  const { note = "Please sign this off.", askedAt = new Date(), projectId, signerId, askedBy } = given;
  const [project] = await db.select().from(projects).where(eq(projects.id, projectId));
  const [signer] = await db.select().from(users).where(eq(users.id, signerId));
  if (!project || !signer) throw new Error("a sign-off needs a project and a signer");
  const { id, number, title, status, dueDate } = tasks;
  const record = {
    project: { id: projectId, key: project.key, title: project.title } satisfies Pick<
      typeof projects.$inferSelect,
      "id" | "key" | "title"
    >,
    ...{ question: note, askedBy, askedAt: askedAt.toISOString() },
    signer: { id: signerId, name: signer.displayName || signer.username } satisfies Pick<
      typeof users.$inferSelect,
      "id"
    > & { name: string },
    scope: "project",
    tasks: await db
      .select({ id, number, title, status, dueDate })
      .from(tasks)
      .where(eq(tasks.projectId, projectId))
      .orderBy(asc(number)),
    commits: await rangeOf(db, { repositoryId: project.repositoryId, until: given.decidedAt ?? askedAt }),
    liveLink: project.liveLink,
    files: [],
  };
  const [made] = await db
    .insert(signOffs)
    .values(columnsOf(signOffs, { record, ...given, note, askedAt }))
    .returning();
  if (!made) throw new Error("no sign-off was inserted");
  return made;
}

async function rangeOf(db: Db | Tx, { repositoryId, until }: { repositoryId: string | null; until: Date }) {
  if (repositoryId === null) return [];
  const rows = await db
    .select({ repository: repositories.fullName, sha: commits.sha, at: commits.authoredAt })
    .from(commits)
    .innerJoin(repositories, eq(repositories.id, commits.repositoryId))
    .where(and(eq(commits.repositoryId, repositoryId), lte(commits.authoredAt, until)))
    .orderBy(asc(commits.authoredAt), asc(commits.id));
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last) return [];
  const end = ({ sha, at }: typeof first) => ({ sha, at: at.toISOString() });
  return [{ repository: first.repository, count: rows.length, first: end(first), last: end(last) }];
}
