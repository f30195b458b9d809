import { DEMO_OWNER } from "@db/enums";
import { and, eq, isNotNull, lte, ne, or, sql } from "drizzle-orm";
import type { Db } from "../../db/client";
import { instantAfter } from "../../db/expressions";
import { projects, repositories } from "../../db/schema";

/** A sync that is due this soon counts as under way. */
const SOON_SECONDS = 5;

/** Projects with a link, and the sync state of their repositories. */
export function selectLinked(db: Db, where: ReturnType<typeof and>) {
  const isUnderWay = or(
    sql`${repositories.leasedUntil} > now()`,
    lte(repositories.dueAt, instantAfter(sql`now()`, SOON_SECONDS)),
  );
  const isAwaited = and(isNotNull(repositories.wantedAt), ne(repositories.owner, DEMO_OWNER), isUnderWay);
  return db
    .select({
      projectId: projects.id,
      key: projects.key,
      title: projects.title,
      commitMode: projects.commitMode,
      maskedWords: projects.maskedWords,
      link: projects.githubRepo,
      repositoryId: projects.repositoryId,
      fullName: repositories.fullName,
      withheld: repositories.withheld,
      problem: repositories.problem,
      problemStatus: repositories.problemStatus,
      lastSuccessAt: repositories.lastSuccessAt,
      isAwaited: sql<boolean>`coalesce(${isAwaited}, false)`.as("is_awaited"),
    })
    .from(projects)
    .leftJoin(repositories, eq(repositories.id, projects.repositoryId))
    .where(and(isNotNull(projects.githubRepo), where));
}

export type Linked = ReturnType<typeof linkedOf>;
const linkedOf = (db: Db) => db.$with("linked").as(selectLinked(db, undefined));
