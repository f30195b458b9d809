import { asc, eq } from "drizzle-orm";
import type { Db, Tx } from "./client";
import { projects, signOffs, tasks, users } from "./schema";
import { columnsOf } from "./writes";

type SignOffTableRow = typeof signOffs.$inferSelect;

/** A sign-off of a whole project as it is now, without its commits and files; asked unless it says otherwise. */
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
    project: { id: projectId, key: project.key, title: project.title },
    ...{ question: note, askedBy, askedAt: askedAt.toISOString() },
    signer: { id: signerId, name: signer.displayName || signer.username },
    scope: "project",
    tasks: await db
      .select({ id, number, title, status, dueDate })
      .from(tasks)
      .where(eq(tasks.projectId, projectId))
      .orderBy(asc(number)),
    commits: [],
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
