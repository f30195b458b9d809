import { MESSAGES } from "../contract/messages";
import type { ActivityChange } from "../contract/views";
import { DomainError } from "../core/errors";
import type { Source, StreamCall } from "../realtime/stream";
import { listFeedStamps } from "./queries";

/**
 * Projects whose activity has changed, from the moment its stream is open: the caller then reads the feed once, and nothing in
 * between is lost. The same visibility as the feed: what a watcher compares are only projects that it may see. NOT_FOUND for a
 * project that the actor cannot see.
 */
export function activitySource(
  ctx: Pick<StreamCall, "db" | "actor">,
  {
    projectId,
    isVisible = async () => {},
  }: { projectId?: string | undefined; isVisible?: () => Promise<unknown> } = {},
): Source<Map<string, string>, ActivityChange> {
  return async (subscription) => {
    subscription.join(ctx.actor.accountType === "admin" ? "repositories" : `joined:${ctx.actor.id}`);
    let joined = new Set<string>();
    const read = async () => {
      const stamps = await listFeedStamps(ctx.db, { actor: ctx.actor, projectId });
      const linked = new Set(stamps.map(({ repositoryId }) => repositoryId));
      for (const id of joined) if (!linked.has(id)) subscription.leave(`repository:${id}`);
      for (const id of linked) subscription.join(`repository:${id}`);
      joined = linked;
      return new Map(
        stamps.map((stamp) => [stamp.projectId, `${stamp.repositoryId} ${stamp.changeSeq} ${stamp.shows}`]),
      );
    };
    await isVisible();
    let known = await read();
    return {
      read,
      *emit(present, actor) {
        if (actor.accountType !== ctx.actor.accountType)
          throw new DomainError("FORBIDDEN", MESSAGES.general.notAllowed);
        const ids = new Set([...known.keys(), ...present.keys()]);
        const projectIds = [...ids].filter((id) => known.get(id) !== present.get(id));
        known = present;
        if (projectIds.length > 0) yield { projectIds };
      },
      // Whoever has lost a project or its repository no longer follows either. Tasks change no commit.
      replay: (missed) =>
        missed.step?.taskId !== undefined ||
        (!/^(project|repository):/.test(missed.subject) && !subscription.follows(missed)),
    };
  };
}
