import type { AccountType } from "@db/enums";
import { and, eq, inArray, notInArray, sql } from "drizzle-orm";
import { type Db, perDatabase } from "../../db/client";
import {
  aliased,
  countRows,
  firstRows,
  isAfter,
  isAnyOf,
  joinJsonTexts,
  jsonRow,
  jsonRowsText,
  microsecondsOf,
  writeJsonText,
} from "../../db/expressions";
import { projects } from "../../db/schema";
import type { ProjectFilter } from "../contract/projects";
import type { Project, ProjectPage } from "../contract/views";
import type { Actor } from "../core/context";
import { decodeCursor, encodeCursor } from "../core/cursor";
import type { Reading } from "../core/reply";
import { filterCondition, searchCondition } from "./filters";
import { listedProjects, versionOf } from "./list-version";
import { mayEdit, type Viewer } from "./policy";
import { newestFirst, selectProjectRows } from "./project-rows";

const PAGE_SIZE = 500;

/** The board: newest first, 500 a page; `counts` are of everything that the scope, filter and search match. */
export async function readProjects(
  db: Db,
  { actor, filter = "all", ...query }: Omit<PageQuery, "actor"> & { actor: Actor },
): Promise<Reading<ProjectPage>> {
  const { scope, q, cursor } = query;
  const [page] =
    q || cursor
      ? await selectPage(db, { actor, filter, ...query })
      : await firstPage(db, scope, filter, actor.accountType).execute({ actorId: actor.id });
  const json = joinJsonTexts<ProjectPage>({
    items: page?.items ?? writeJsonText<Project[]>([]),
    nextCursor: writeJsonText(page?.next ? encodeCursor(page.next) : null),
    counts: writeJsonText(page?.counts ?? { todo: 0, inProgress: 0, completed: 0 }),
  });
  return { version: page?.version ?? "", json };
}

interface PageQuery {
  actor: Viewer;
  scope: "mine" | "all";
  filter?: ProjectFilter | undefined;
  q?: string | undefined;
  cursor?: string | null | undefined;
}

const firstPage = perDatabase((db, scope: PageQuery["scope"], filter: ProjectFilter, accountType: AccountType) =>
  selectPage(db, { actor: { id: sql.placeholder("actorId"), accountType }, scope, filter }).prepare("projects_page"),
);

function selectPage(db: Db, { actor, scope, cursor, ...conditions }: PageQuery) {
  const listed = listedProjects(db, actor, scope);
  const matching = matchingProjects(db, listed, { actor, ...conditions });
  const after = decodeCursor(cursor);
  const newest = db
    .select({ id: matching.id })
    .from(matching)
    .where(after ? isAfter(after, { instant: matching.createdAt, id: matching.id }) : undefined)
    .orderBy(...newestFirst(matching));
  const canEdit = sql<boolean>`${sql.raw(String(mayEdit(actor)))}`;
  const { tables, page, rows } = selectProjectRows(db, {
    // One more than is shown says that there is a next page.
    where: inArray(projects.id, sql`(${firstRows(newest, PAGE_SIZE + 1)})`),
    extra: ({ commitView, clientRepo }) =>
      mayEdit(actor) ? { commitView, canEdit } : { commitView: sql<null>`null::json`, githubRepo: clientRepo, canEdit },
  });
  const last = db
    .select(aliased({ microseconds: microsecondsOf(page.createdAt), id: page.id }))
    .from(page)
    .where(sql`(select count(*) from ${page}) > ${PAGE_SIZE}`)
    .orderBy(...newestFirst(page))
    .limit(1)
    .offset(PAGE_SIZE - 1);
  return db
    .with(listed, matching, ...tables)
    .select({
      version: versionOf(listed),
      items: jsonRowsText(rows, PAGE_SIZE),
      next: jsonRow(last),
      counts: jsonRow(countStatuses(db, matching)),
    })
    .from(sql`(values (1)) as one`);
}

/** Those of the listed ones that filter and search match; only a search reads more of them. */
function matchingProjects(
  db: Db,
  listed: ReturnType<typeof listedProjects>,
  { actor, filter = "all", q }: Pick<PageQuery, "actor" | "filter" | "q">,
) {
  const ids = db.select({ id: listed.id }).from(listed);
  const found = (text: string) =>
    db
      .select({ id: projects.id })
      .from(projects)
      .where(and(isAnyOf(projects.id, ids), searchCondition(text)));
  return db.$with("matching").as(
    db
      .select({ id: listed.id, createdAt: listed.createdAt, status: listed.status })
      .from(listed)
      .where(and(filterCondition(filter, { actor, project: listed }), q ? isAnyOf(listed.id, found(q)) : undefined)),
  );
}

/** `todo` takes in whatever is neither in progress nor completed, as the board's first tab does. */
function countStatuses(db: Db, matching: ReturnType<typeof matchingProjects>) {
  return db
    .select(
      aliased({
        todo: countRows(notInArray(matching.status, ["inProgress", "completed"])),
        inProgress: countRows(eq(matching.status, "inProgress")),
        completed: countRows(eq(matching.status, "completed")),
      }),
    )
    .from(matching);
}
