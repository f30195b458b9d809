import type { AccountType } from "@db/enums";
import { and, desc, eq, exists, isNotNull, isNull, lte, not, type SQLWrapper, sql } from "drizzle-orm";
import type { Db } from "../../db/client";
import {
  aliased,
  columnValue,
  countRows,
  holds,
  type IdValue,
  isoInstant,
  jsonArray,
  jsonFields,
  jsonObject,
  jsonRows,
  latestOf,
  whenPresent,
} from "../../db/expressions";
import { commitMentions, commits, projects, repositories, repositoryTokens, tasks } from "../../db/schema";
import { MAX_TITLE_LENGTH, maskCommit } from "../contract/masked-commits";
import { MASK, maskOf } from "../contract/masking";
import type { CommitFeed } from "../contract/views";
import type { Actor } from "../core/context";
import { visibleTo } from "../projects/policy";
import { avatarPath } from "./avatars";
import { clientColumns } from "./client-feed";
import { type Linked, selectLinked } from "./linked-projects";
import { shownTo } from "./policy";

/** Commits of each repository: for clients (spec 9), for admins (GitHub's default page), and of a single project; then in all. */
const CLIENT_LIMIT = 10;
const ADMIN_LIMIT = 30;
const PROJECT_LIMIT = 100;
const FEED_LIMIT = 300;
const COMMITS_PER_TASK = 5;

const isUnmasked = sql`cardinality(${projects.maskedWords}) = 0`;

/**
 * The commit feed of the projects that the actor may see, or of one of them; null when the actor may not see that one. One
 * statement over stored commits that reads only the newest ones of each repository.
 */
export async function findFeed(
  db: Db,
  { actor, projectId, timeZone }: { actor: Actor; projectId?: string | undefined; timeZone: string },
): Promise<CommitFeed | null> {
  const isAdmin = actor.accountType === "admin";
  const isClient = actor.accountType === "client";
  const isAsked = and(visibleTo(actor), projectId ? eq(projects.id, projectId) : undefined);
  const linked = db.$with("linked").as(selectLinked(db, and(isAsked, shownTo(actor))));
  const perRepository = !isAdmin ? CLIENT_LIMIT : projectId ? PROJECT_LIMIT : ADMIN_LIMIT;
  const project = jsonObject({ id: linked.projectId, key: linked.key, title: linked.title });
  const failed = db
    .select(
      aliased({
        projectId: linked.projectId,
        // Only a project that shows titles names its repository.
        repo: isClient
          ? sql<string>`case when ${eq(linked.commitMode, "titles")} then ${linked.fullName} else ${MASK} end`
          : sql<string>`${linked.fullName}`,
        kind: sql<CommitFeed["problems"][number]["kind"]>`${linked.problem}`,
        status: linked.problemStatus,
      }),
    )
    .from(linked)
    .where(isNotNull(linked.problem))
    .orderBy(linked.title, linked.projectId);
  const skipped = db
    .select(aliased({ project, link: sql<string>`${linked.link}` }))
    .from(linked)
    .where(and(isNull(linked.repositoryId), isAdmin ? undefined : sql`false`))
    .orderBy(linked.title, linked.projectId);
  const [row] = await db
    .with(linked)
    .select({
      isFound: exists(db.select({ id: projects.id }).from(projects).where(isAsked)).mapWith(Boolean),
      items: jsonRows(selectCommits(db, { linked, perRepository, actor })),
      problems: jsonRows(failed),
      skipped: jsonRows(skipped),
      repositories: countRows(isNotNull(linked.repositoryId)),
      refreshing: countRows(eq(linked.isAwaited, true)),
      refreshedAt: isoInstant(latestOf(linked.lastSuccessAt)),
      tokenConfigured: exists(db.select({ id: repositoryTokens.id }).from(repositoryTokens)).mapWith(Boolean),
      ...(isClient ? clientColumns(db, { linked, isAsked, perRepository, timeZone }) : NO_CLIENT_COLUMNS),
    })
    .from(linked);
  if (!row || (projectId && !row.isFound)) return null;
  const { isFound: _, masked, ...feed } = row;
  const maskedIn = new Map(masked.map(({ projectId: id, maskedWords }) => [id, maskedWords]));
  const wordsOf = (id: string) => maskedIn.get(id) ?? [];
  const items = feed.items.map((commit) => maskCommit(commit, wordsOf(commit.project.id)));
  const problems = feed.problems.map((one) => ({ ...one, repo: maskOf(wordsOf(one.projectId))(one.repo) }));
  return { ...feed, items, problems };
}

const NO_CLIENT_COLUMNS = {
  counts: sql<CommitFeed["counts"]>`'[]'::json`,
  groups: sql<CommitFeed["groups"]>`'[]'::json`,
  hiddenProjects: sql<number>`0`,
  masked: sql<{ projectId: string; maskedWords: string[] }[]>`'[]'::json`,
};

/** Chooses the commits from an index alone and then reads only those rows, also with hundreds of repositories. */
function selectCommits(
  db: Db,
  { linked, perRepository, actor }: { linked: Linked; perRepository: number; actor: Actor },
) {
  const newest = db
    .select({ id: commits.id, authoredAt: commits.authoredAt })
    .from(commits)
    .where(eq(commits.repositoryId, linked.repositoryId))
    .orderBy(desc(commits.authoredAt), desc(commits.id))
    .limit(perRepository)
    .as("newest");
  const { projectId, key, title, fullName } = linked;
  // Drizzle does not qualify an alias, so its name must not be a column of any table.
  const commitId = sql<number>`${newest.id}`.as("shown_commit_id");
  const shown = db
    .select({ commitId, authoredAt: newest.authoredAt, projectId, key, title, fullName })
    .from(linked)
    .crossJoinLateral(newest)
    .where(and(not(linked.withheld), actor.accountType === "client" ? eq(linked.commitMode, "titles") : undefined))
    .orderBy(desc(newest.authoredAt), desc(newest.id), linked.projectId)
    .limit(FEED_LIMIT)
    .as("shown");
  // The limit forces one primary key lookup per row; a plain join may scan the whole table while it is small.
  const written = db.select().from(commits).where(eq(commits.id, shown.commitId)).limit(1).as("written");
  return db
    .select(
      aliased({
        sha: written.sha,
        html_url: written.htmlUrl,
        commit: jsonObject({
          message: written.message,
          author: jsonObject({ name: written.authorName, date: isoInstant(written.authoredAt) }),
        }),
        author: whenPresent(
          written.authorLogin,
          jsonObject({ login: sql<string>`${written.authorLogin}`, avatar_url: avatarPath(written) }),
        ),
        project: jsonObject({ id: shown.projectId, key: shown.key, title: shown.title }),
        repo: sql<string>`${shown.fullName}`,
        tasks: sql<CommitFeed["items"][number]["tasks"]>`(${mentionedTasks(db, shown)})`,
      }),
    )
    .from(shown)
    .crossJoinLateral(written)
    .orderBy(desc(shown.authoredAt), desc(shown.commitId), shown.projectId);
}

/** The tasks of the outer row's project that its commit mentions. */
function mentionedTasks(db: Db, { projectId, key, commitId }: Record<"projectId" | "key" | "commitId", SQLWrapper>) {
  const task = jsonObject({
    id: tasks.id,
    number: tasks.number,
    title: tasks.title,
    completed: holds(tasks.status, "completed"),
    closes: columnValue(commitMentions.closes),
  });
  return db
    .select({ tasks: jsonArray(task, { orderBy: tasks.number }) })
    .from(commitMentions)
    .innerJoin(tasks, and(eq(tasks.projectId, projectId), eq(tasks.number, commitMentions.taskNumber)))
    .where(and(eq(commitMentions.commitId, commitId), eq(commitMentions.projectKey, key)));
}

/**
 * Each visible project's repository and its change counter, for watchers to compare; to clients only those that show something, and
 * what they show.
 */
export async function listFeedStamps(
  db: Db,
  { actor, projectId }: { actor: Actor; projectId?: string | undefined },
): Promise<{ projectId: string; repositoryId: string; changeSeq: number; shows: string }[]> {
  const isClient = actor.accountType === "client";
  const { commitMode, maskedWords } = projects;
  const shows = isClient ? sql<string>`concat_ws(' ', ${commitMode}, ${maskedWords})` : sql<string>`''`;
  return db
    .select({ projectId: projects.id, repositoryId: repositories.id, changeSeq: repositories.changeSeq, shows })
    .from(projects)
    .innerJoin(repositories, eq(repositories.id, projects.repositoryId))
    .where(and(visibleTo(actor), shownTo(actor), projectId ? eq(projects.id, projectId) : undefined));
}

/** Whether a commit is stored, of a repository by its id or by its name in any case. */
export async function isStored(
  db: Db,
  { repository, sha }: { repository: { id: string } | { owner: string; name: string }; sha: string },
): Promise<boolean> {
  const isAsked =
    "id" in repository
      ? eq(repositories.id, repository.id)
      : and(
          eq(repositories.owner, repository.owner.toLowerCase()),
          eq(repositories.name, repository.name.toLowerCase()),
        );
  const [found] = await db
    .select({ id: commits.id })
    .from(commits)
    .innerJoin(repositories, eq(repositories.id, commits.repositoryId))
    .where(and(isAsked, eq(commits.sha, sha)));
  return found !== undefined;
}

/**
 * Subquery to join to a project's tasks: task number to the five newest commits that mention it. A single index lookup when
 * there are none. To clients of a project that shows titles; where it masks words the title is the whole message, for `maskTask`:
 * of a shortened one a part of a word would stay.
 */
export function commitsByTask(db: Db, { projectId, accountType }: { projectId: IdValue; accountType: AccountType }) {
  const isClient = accountType === "client";
  const title = sql<string>`left(split_part(${commits.message}, E'\n', 1), ${MAX_TITLE_LENGTH})`;
  const place = sql<number>`row_number() over (partition by ${commitMentions.taskNumber} order by ${commits.authoredAt} desc, ${commits.id} desc)`;
  const ranked = db
    .select({
      taskNumber: commitMentions.taskNumber,
      closes: commitMentions.closes,
      sha: commits.sha,
      title: (isClient ? sql<string>`case when ${isUnmasked} then ${title} else ${commits.message} end` : title).as(
        "title",
      ),
      htmlUrl: commits.htmlUrl,
      authorName: commits.authorName,
      authoredAt: commits.authoredAt,
      place: place.as("place"),
    })
    .from(projects)
    .innerJoin(repositories, and(eq(repositories.id, projects.repositoryId), not(repositories.withheld)))
    .innerJoin(
      commitMentions,
      and(eq(commitMentions.repositoryId, projects.repositoryId), eq(commitMentions.projectKey, projects.key)),
    )
    .innerJoin(commits, eq(commits.id, commitMentions.commitId))
    .where(and(eq(projects.id, projectId), isClient ? holds(projects.commitMode, "titles") : undefined))
    .as("ranked");
  const commit = jsonFields({
    sha: ranked.sha,
    title: sql<string>`${ranked.title}`,
    htmlUrl: ranked.htmlUrl,
    authorName: ranked.authorName,
    date: isoInstant(ranked.authoredAt),
    closes: ranked.closes,
  });
  return db
    .select({
      taskNumber: ranked.taskNumber,
      commits: jsonArray(commit, { orderBy: sql`${ranked.place}` }).as("commits"),
    })
    .from(ranked)
    .where(lte(ranked.place, COMMITS_PER_TASK))
    .groupBy(ranked.taskNumber)
    .as("by_task");
}
