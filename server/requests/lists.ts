import type { RequestStatus } from "@db/client-enums";
import { and, desc, eq, not, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../db/client";
import { firstRows, isAfter, isAnyOf, microsecondsOf } from "../../db/expressions";
import { projects, requests } from "../../db/schema";
import { MAX_LISTED_REQUESTS } from "../contract/messages/requests";
import type { Request } from "../contract/views";
import type { Actor } from "../core/context";
import { visibleTo } from "../projects/policy";
import { isOpen } from "./policy";
import { type Reader, selectRequests, showRequest } from "./queries";

interface RequestFilter {
  projectId?: string | undefined;
  taskId?: string | undefined;
  status?: RequestStatus | undefined;
}

/** Where a request stands in lists: those that wait go before the decided ones, each half newest first. */
export interface RequestPosition {
  microseconds: number;
  id: string;
  isOpen: boolean;
}

/** At most 500 of those that the actor sees, the first ones or those after that one. The page itself is newest first. */
export async function listRequests(
  db: Db,
  { after, ...asked }: Reader & RequestFilter & { after: RequestPosition | null },
): Promise<Request[]> {
  const older = after ? isAfter(after, { instant: requests.createdAt, id: requests.id }) : undefined;
  const newest = (which: SQL | undefined) => newestOf(db, asked, which);
  // Each half by an index: to sort all that there are would take longer with every one that was ever filed.
  const waiting = newest(and(isOpen, older));
  const decided = newest(and(not(isOpen), after?.isOpen ? undefined : older));
  const halves = after && !after.isOpen ? decided : sql`(${waiting}) union all (${decided})`;
  const rows = await selectRequests(db)
    .where(isAnyOf(requests.id, asked.status ? newest(older) : halves))
    .orderBy(desc(isOpen), desc(requests.createdAt), desc(requests.id))
    .limit(MAX_LISTED_REQUESTS);
  return rows.map((row) => showRequest(row, asked)).toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
}

function newestOf(db: Db, { projectId, taskId, status, actor }: Reader & RequestFilter, which: SQL | undefined): SQL {
  return firstRows(
    db
      .select({ id: requests.id })
      .from(requests)
      .innerJoin(projects, eq(projects.id, requests.projectId))
      .where(
        and(
          visibleTo(actor),
          projectId === undefined ? undefined : eq(requests.projectId, projectId),
          taskId === undefined ? undefined : eq(requests.taskId, taskId),
          status && eq(requests.status, status),
          which,
        ),
      )
      .orderBy(desc(requests.createdAt), desc(requests.id)),
    MAX_LISTED_REQUESTS,
  );
}

/** The place of a request that the actor may see, or null: not theirs and not there are the same. */
export async function findRequestPosition(
  db: Db,
  { id, actor }: { id: string; actor: Actor },
): Promise<RequestPosition | null> {
  const [row] = await db
    .select({ microseconds: microsecondsOf(requests.createdAt), id: requests.id, isOpen: sql<boolean>`${isOpen}` })
    .from(requests)
    .innerJoin(projects, eq(projects.id, requests.projectId))
    .where(and(eq(requests.id, id), visibleTo(actor)));
  return row ?? null;
}
