import { and, eq, exists, isNull, or, type SQL, sql } from "drizzle-orm";
import { conversations, files, messages, projects, userPhotos } from "../../db/schema";
import { participating } from "../chat/policy";
import type { Actor } from "../core/context";
import { type Viewer, visibleTo } from "../projects/policy";

/**
 * Files that the actor may read: those of visible projects, for clients without the team's; those of messages to and from the actor;
 * everybody's pictures of people; and what the actor has uploaded and not attached yet.
 */
export function readableBy(actor: Viewer): SQL | undefined {
  return or(
    and(isNull(files.attachedAt), eq(files.uploadedBy, actor.id)),
    and(
      shownTo(actor),
      exists(sql`(select 1 from ${projects} where ${and(eq(projects.id, files.projectId), visibleTo(actor))})`),
    ),
    exists(
      sql`(select 1 from ${messages} join ${conversations} on ${eq(conversations.id, messages.conversationId)} where ${and(eq(messages.id, files.messageId), participating(actor))})`,
    ),
    exists(sql`(select 1 from ${userPhotos} where ${eq(userPhotos.fileId, files.id)})`),
  );
}

/** Of what hangs on a project or a task that the actor sees. */
export function shownTo({ accountType }: Pick<Actor, "accountType">): SQL | undefined {
  return accountType === "client" ? eq(files.visibility, "client") : undefined;
}

/** Whether somebody may add files where they may read: the team, and clients with the project's client collaboration. */
export function mayAttach(
  { accountType }: Pick<Actor, "accountType">,
  { clientCollaboration }: { clientCollaboration: boolean },
): boolean {
  return accountType !== "client" || clientCollaboration;
}
