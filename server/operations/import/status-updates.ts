import { and, asc, eq, gt, sql } from "drizzle-orm";
import type { Db, Tx } from "../../../db/client";
import { projects, statusUpdates } from "../../../db/schema";
import { rowsOf } from "../../../db/writes";
import type { Take } from "./fields";
import { unmatched } from "./notes";
import type { People } from "./people";
import { pages, stagedProjects, stagedStatusUpdates } from "./staging";

/** Adds the staged status updates that are not there yet; nobody is notified. What names no known author or project is noted. */
export async function importStatusUpdates(
  db: Db | Tx,
  { people, take }: { people: People; take: Take },
): Promise<number> {
  let count = 0;
  for await (const page of pages((after, limit) => missingUpdates(db, { after, limit }))) {
    const known = page.flatMap(({ place: _, projectFileId, fileId, author, projectId, sentAt, upTo, ...row }) => {
      const authorId = people.byFileId.get(author)?.userId;
      if (projectId && authorId)
        return [{ ...row, projectId, authorId, sentAt: new Date(sentAt), upTo: upTo === null ? null : new Date(upTo) }];
      const subject = { kind: "status update" as const, id: `${projectFileId}/${fileId}` };
      if (projectId) take(unmatched(subject, "authorId", author, "nobody has that id"));
      else take(unmatched(subject, "project", projectFileId, "that project is not there"));
      return [];
    });
    if (known.length > 0) await db.insert(statusUpdates).values(rowsOf(statusUpdates, known));
    count += known.length;
  }
  return count;
}

function missingUpdates(db: Db | Tx, { after, limit }: { after: number; limit: number }) {
  const { place, projectFileId, fileId, id, author, health, text, sentAt, upTo } = stagedStatusUpdates;
  return db
    .select({ place, projectFileId, fileId, id, author, health, text, sentAt, upTo, projectId: projects.id })
    .from(stagedStatusUpdates)
    .leftJoin(stagedProjects, eq(stagedProjects.fileId, projectFileId))
    .leftJoin(projects, eq(projects.id, stagedProjects.id))
    .where(and(gt(place, after), sql`not exists (select from ${statusUpdates} where ${eq(statusUpdates.id, id)})`))
    .orderBy(asc(place))
    .limit(limit);
}
