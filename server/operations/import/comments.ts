import { and, asc, eq, gt, sql } from "drizzle-orm";
import type { Db, Tx } from "../../../db/client";
import { comments, discussions, projects, tasks } from "../../../db/schema";
import { columnsOf, rowsOf } from "../../../db/writes";
import { mentionedIds, splitMentions, writeMention } from "../../contract/mentions";
import { notifyDiscussion } from "../../realtime/notify";
import type { Take } from "./fields";
import { changed, unmatched } from "./notes";
import type { People } from "./people";
import { pages, stagedComments, stagedProjects, stagedTasks } from "./staging";

const MAX_COMMENT = 10_000;
/** As the file and the table call it. */
const AUTHOR = "authorId" satisfies keyof typeof comments.$inferSelect;

interface Importing {
  people: People;
  /** Who stands for an author who has only a name. */
  firstAdminId: string;
  take: Take;
  onProgress: (count: number, total: number) => void;
}

/**
 * Adds the staged comments that are not there yet to their discussions: after what is there, in the order of the file. Nobody is
 * notified. What names no known author, project or task is noted. Returns how many were added.
 */
export async function importComments(
  db: Db | Tx,
  { people, firstAdminId, take, onProgress }: Importing,
): Promise<number> {
  const total = await db.$count(stagedComments, isMissing);
  let seen = 0;
  let count = 0;
  for await (const page of pages((after, limit) => missingComments(db, { after, limit }))) {
    const known = page.flatMap((row) => {
      const subject = { kind: "comment", id: `${row.projectFileId}/${row.fileId}` } as const;
      const known = people.byFileId.get(row.author)?.userId;
      const authorId = known ?? (row.authorName === null ? undefined : firstAdminId);
      const complaint = complaintOf(row, authorId);
      if (complaint) take(unmatched<string>(subject, ...complaint));
      if (complaint || !authorId || !row.projectId) return [];
      if (known || row.authorName === null) return [{ ...row, projectId: row.projectId, authorId }];
      const why = `nobody has that id, and its text says that ${row.authorName} wrote it`;
      take(changed(subject, AUTHOR, { from: row.author, to: authorId, why }));
      return [{ ...row, projectId: row.projectId, authorId, text: attributed(row.text, row.authorName) }];
    });
    const places = new Set(known.map(({ projectId, taskId }) => `${projectId} ${taskId ?? ""}`));
    await db.transaction(async (tx) => {
      // In one order everywhere, so that no two wait for each other.
      for (const place of [...places].sort()) {
        const ofPlace = known.filter(({ projectId, taskId }) => `${projectId} ${taskId ?? ""}` === place);
        await appendComments(tx, { rows: ofPlace, people });
      }
    });
    count += known.length;
    seen += page.length;
    onProgress(seen, total);
  }
  return count;
}

const isMissing = sql`not exists (select from ${comments} where ${eq(comments.id, stagedComments.id)})`;

type Staged = Awaited<ReturnType<typeof missingComments>>[number];
type Known = Staged & { projectId: string; authorId: string };

function missingComments(db: Db | Tx, { after, limit }: { after: number; limit: number }) {
  return db
    .select({
      place: stagedComments.place,
      projectFileId: stagedComments.projectFileId,
      taskFileId: stagedComments.taskFileId,
      fileId: stagedComments.fileId,
      id: stagedComments.id,
      author: stagedComments.author,
      authorName: stagedComments.authorName,
      visibility: stagedComments.visibility,
      text: stagedComments.text,
      createdAt: stagedComments.createdAt,
      editedAt: stagedComments.editedAt,
      deletedAt: stagedComments.deletedAt,
      projectId: projects.id,
      taskId: tasks.id,
    })
    .from(stagedComments)
    .leftJoin(stagedProjects, eq(stagedProjects.fileId, stagedComments.projectFileId))
    .leftJoin(projects, eq(projects.id, stagedProjects.id))
    .leftJoin(
      stagedTasks,
      and(
        eq(stagedTasks.projectFileId, stagedComments.projectFileId),
        eq(stagedTasks.fileId, stagedComments.taskFileId),
      ),
    )
    .leftJoin(tasks, and(eq(tasks.id, stagedTasks.id), eq(tasks.projectId, projects.id)))
    .where(and(gt(stagedComments.place, after), isMissing))
    .orderBy(asc(stagedComments.place))
    .limit(limit);
}

/** Said by whom it is; cut where there is no room for both. */
function attributed(text: string, name: string): string {
  return [...`${name}: ${text}`].slice(0, MAX_COMMENT).join("").trimEnd();
}

function complaintOf(row: Staged, authorId: string | undefined): [field: string, value: unknown, why: string] | null {
  if (row.projectId === null) return ["project", row.projectFileId, "that project is not there"];
  if (row.taskFileId !== null && row.taskId === null) return ["taskId", row.taskFileId, "that task is not there"];
  return authorId === undefined ? [AUTHOR, row.author, "nobody has that id"] : null;
}

/** Comments of one discussion, numbered as `comments.create` would. */
async function appendComments(tx: Tx, { rows, people }: { rows: readonly Known[]; people: People }): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const { projectId, taskId } = first;
  const added = rows.length;
  const forClients = rows.filter(({ visibility }) => visibility === "client").length;
  const last = { lastSeq: added, lastChange: added, lastClientSeq: forClients, lastClientChange: forClients };
  const [counted] = await tx
    .insert(discussions)
    .values(columnsOf(discussions, { projectId, taskId, ...last }))
    .onConflictDoUpdate({
      target: [discussions.projectId, discussions.taskId],
      set: {
        lastSeq: sql`${discussions.lastSeq} + ${added}`,
        lastChange: sql`${discussions.lastChange} + ${added}`,
        lastClientSeq: sql`${discussions.lastClientSeq} + ${forClients}`,
        lastClientChange: sql`${discussions.lastClientChange} + ${forClients}`,
      },
    })
    .returning();
  if (!counted) return;
  let [seq, change] = [counted.lastSeq - added, counted.lastChange - added];
  let [clientSeq, clientChange] = [counted.lastClientSeq - forClients, counted.lastClientChange - forClients];
  const numbered = rows.map((row) => {
    seq += 1;
    change += 1;
    const numbers = { seq, createdChange: change, lastChange: change };
    if (row.visibility === "team") return { ...stored(row, people), ...numbers, discussionId: counted.id };
    clientSeq += 1;
    clientChange += 1;
    const ofClients = { clientSeq, clientCreatedChange: clientChange, clientLastChange: clientChange };
    return { ...stored(row, people), ...numbers, ...ofClients, discussionId: counted.id };
  });
  await tx.insert(comments).values(rowsOf(comments, numbered));
  await notifyDiscussion(tx, { projectId, taskId, visibility: forClients > 0 ? "client" : "team" });
}

/** The text mentions people by their ids here, and stands without their names. */
function stored({ id, authorId, visibility, createdAt, editedAt, deletedAt, ...row }: Known, people: People) {
  const here = (fileId: string) => people.byFileId.get(fileId)?.userId ?? fileId;
  const text = splitMentions(row.text)
    .map((part) => (part.type === "text" ? part.text : writeMention({ id: here(part.id), name: "" })))
    .join("");
  const instant = (at: string | null) => (at === null ? null : new Date(at));
  return {
    ...{ id, authorId, visibility, clientCommentId: id, text, mentions: mentionedIds(text) },
    ...{ createdAt: new Date(createdAt), editedAt: instant(editedAt), deletedAt: instant(deletedAt) },
  };
}
