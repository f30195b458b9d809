import type { PresenceEvent } from "../contract/views";
import type { Context } from "../core/context";
import { DomainError } from "../core/errors";
import { plain } from "../core/plain";
import type { Mailbox, Wake } from "../realtime/hub";
import type { Stay } from "../realtime/presence";
import { openStream, type StreamCall } from "../realtime/stream";
import { listPartners, type Partner } from "./queries";

/**
 * Who of the people that the actor has a conversation with is present: first all of them, then each change, and who types.
 * As long as it is open the actor counts as present. People who may not be written to are never told.
 */
export function watchPresence({
  ctx,
  signal,
}: {
  ctx: StreamCall & Pick<Context, "presence">;
  signal: AbortSignal | undefined;
}): Promise<AsyncIterable<PresenceEvent>> {
  const { db, presence, actor } = ctx;
  /** By conversation. */
  const partners = new Map<string, Partner>();
  let told: Set<string> | null = null;
  /** Begins when the stream is read, not when it is made: one that never is read would never end it. */
  let stay: Stay | null = null;
  let isClosed = false;
  const requireLive: StreamCall["requireLive"] = (stream) =>
    ctx.requireLive(stream).catch((error: unknown) => {
      if (error instanceof DomainError) stay?.cutOff();
      throw error;
    });
  return openStream({ ctx: { ...ctx, requireLive }, signal }, async (mailbox) => {
    mailbox.join(`inbox:${actor.id}`);
    mailbox.onClose(() => {
      isClosed = true;
      stay?.leave();
    });
    return {
      first: { subjects: new Set(), resync: true },
      async read(wake) {
        if (isNews(wake, partners)) await learn(mailbox);
        return wake;
      },
      *tell(wake) {
        if (!isClosed) stay ??= presence.arrive(actor.id);
        const before = told;
        told = new Set(
          [...partners.values()].flatMap(({ id, isWritable }) => (isWritable && presence.isPresent(id) ? [id] : [])),
        );
        yield* changesOf({ before, now: told, isResync: wake.resync });
        for (const [conversationId, { id, isWritable }] of partners) {
          if (isWritable && wake.subjects.has(`typing:${conversationId}:${id}`))
            yield plain({ type: "typing" as const, userId: id, conversationId });
        }
      },
    };
  });

  async function learn(mailbox: Mailbox): Promise<void> {
    for (const partner of await listPartners(db, { actor })) {
      const { conversationId, id } = partner;
      mailbox.join(`presence:${id}`);
      mailbox.join(`account:${id}`);
      mailbox.join(`typing:${conversationId}:${id}`);
      partners.set(conversationId, partner);
    }
  }
}

/** Whether a wake is about whom one writes with, and not about what is written. */
function isNews({ subjects, resync }: Wake, partners: ReadonlyMap<string, Partner>): boolean {
  const isNew = (subject: string) =>
    subject.startsWith("account:") || (subject.startsWith("conversation:") && !partners.has(subject.slice(13)));
  return resync || [...subjects].some(isNew);
}

function changesOf({
  before,
  now,
  isResync,
}: {
  before: ReadonlySet<string> | null;
  now: ReadonlySet<string>;
  isResync: boolean;
}): PresenceEvent[] {
  const came = [...now].filter((id) => !before?.has(id));
  const went = [...(before ?? [])].filter((id) => !now.has(id));
  if (!before || (isResync && came.length + went.length > 0))
    return [plain({ type: "everyone" as const, userIds: [...now] })];
  const turned = (userId: string, isPresent: boolean) => plain({ type: "presence" as const, userId, isPresent });
  return [...came.map((id) => turned(id, true)), ...went.map((id) => turned(id, false))];
}
