import type { Db, Tx } from "./client";
import { commitMentions, commits, repositories } from "./schema";
import { columnsOf, rowsOf } from "./writes";

export type RepositoryRow = typeof repositories.$inferSelect;

/** A repository that is read and due only later, with its commits, newest first; each a minute older unless it has a time. */
export async function makeRepository(
  db: Db | Tx,
  {
    fullName,
    commits: written = [],
    ...given
  }: {
    /** `owner/name` */
    fullName: string;
    commits?: MadeCommit[];
    dueAt?: Date;
    etag?: string;
  },
): Promise<RepositoryRow> {
  const [owner = "", name = ""] = fullName.toLowerCase().split("/");
  const now = Date.now();
  const [repository] = await db
    .insert(repositories)
    .values(
      columnsOf(repositories, {
        owner,
        name,
        fullName,
        lastSuccessAt: new Date(now),
        dueAt: new Date(now + 3_600_000),
        ...given,
      }),
    )
    .returning();
  if (!repository) throw new Error("no repository was inserted");
  const rows = written.map(({ authoredAt, ...commit }, index) => ({
    repositoryId: repository.id,
    authoredAt: authoredAt ?? new Date(now - (index + 1) * 60_000),
    ...commit,
  }));
  for (let at = rows.length; at > 0; at -= 500) {
    // Oldest first: numbers rise with time.
    const some = rows.slice(Math.max(0, at - 500), at).reverse();
    await insertCommits(db, some);
  }
  return repository;
}

interface MadeCommit {
  sha: string;
  message: string;
  authorName: string;
  authoredAt?: Date;
  authorLogin?: string;
  htmlUrl?: string;
  mentions?: { projectKey: string; taskNumber: number; closes: boolean }[];
}

async function insertCommits(
  db: Db | Tx,
  rows: (MadeCommit & { repositoryId: string; authoredAt: Date })[],
): Promise<void> {
  const inserted = await db
    .insert(commits)
    .values(
      rowsOf(
        commits,
        rows.map(({ mentions: _, ...row }) => ({
          htmlUrl: `https://github.example/commit/${row.sha}`,
          arrivedAt: row.authoredAt,
          ...row,
        })),
      ),
    )
    .returning({ id: commits.id, sha: commits.sha });
  const ids = new Map(inserted.map(({ id, sha }) => [sha, id]));
  const mentions = rows.flatMap(({ mentions: named = [], sha, repositoryId }) =>
    named.map((mention) => ({ commitId: ids.get(sha) ?? 0, repositoryId, ...mention })),
  );
  if (mentions.length > 0) await db.insert(commitMentions).values(rowsOf(commitMentions, mentions));
}
