import type { Visibility } from "@db/enums";
import { and, isNotNull, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { comments, discussions } from "../../db/schema";
import type { Actor } from "../core/context";
import { type Viewer, visibleTo } from "../projects/policy";

/** On which side somebody stands: clients see what clients can see, and count only that. */
export function audienceOf({ accountType }: Pick<Actor, "accountType">): Visibility {
  return accountType === "client" ? "client" : "team";
}

/** Comments the actor may see, of a query over `comments` with `projects` joined: those of visible projects, for clients without the team's. */
export function visibleCommentsTo(actor: Viewer): SQL | undefined {
  return and(visibleTo(actor), shownTo(audienceOf(actor)));
}

/** Of a discussion, what one side sees. */
export function shownTo(audience: Visibility): SQL | undefined {
  return audience === "client" ? isNotNull(comments.clientSeq) : undefined;
}

/** How one side counts comments and changes: a client's numbers are moved by nothing that clients cannot see. */
export const NUMBERS = {
  team: {
    seq: comments.seq,
    createdChange: comments.createdChange,
    lastChange: comments.lastChange,
    lastSeqOfAll: discussions.lastSeq,
    lastChangeOfAll: discussions.lastChange,
  },
  client: {
    seq: comments.clientSeq,
    createdChange: comments.clientCreatedChange,
    lastChange: comments.clientLastChange,
    lastSeqOfAll: discussions.lastClientSeq,
    lastChangeOfAll: discussions.lastClientChange,
  },
} as const;

/** A number of one side's own, which is there for whatever that side sees. */
export function numberOf(number: SQLWrapper): SQL<number> {
  return sql`${number}`.mapWith(Number);
}

/** Whether somebody may write where they may read: the team, and clients with the project's client collaboration. */
export function mayWrite(actor: Pick<Actor, "accountType">, project: { clientCollaboration: boolean }): boolean {
  return actor.accountType !== "client" || project.clientCollaboration;
}
