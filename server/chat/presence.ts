import type { PresenceEvent } from "../contract/views";
import type { Context } from "../core/context";
import { RESYNC, type Subscription, type WakeUp } from "../realtime/hub";
import type { PresenceHandle } from "../realtime/presence";
import { type Source, type StreamCall, whenMoved } from "../realtime/stream";
import { fingerprintConversations, listPartners, type Partner } from "./comparisons";

/**
 * Who of the actor's partners is present: first all of them, then each change, and who types. The actor counts as present
 * while its stream is open. Partners who may not be written to are never included.
 */
export function presenceSource({
  db,
  presence,
  actor,
}: Pick<StreamCall & Context, "db" | "presence" | "actor">): Source<WakeUp, PresenceEvent> {
  /** By conversation. */
  let partners: ReadonlyMap<string, Partner> = new Map();
  let emitted: Set<string> | null = null;
  /** Set when the stream is first read, as a stream that is never read would never end it. */
  let presenceHandle: PresenceHandle | null = null;
  let isClosed = false;
  return async (subscription) => {
    subscription.join(`inbox:${actor.id}`);
    subscription.onClose(() => {
      isClosed = true;
      presenceHandle?.leave();
    });
    const learnMoved = whenMoved(
      () => fingerprintConversations(db, { actor }),
      async () => {
        await learn(subscription);
        return [];
      },
    );
    return {
      first: RESYNC,
      async read(wakeUp) {
        if (emitted === null || isNews(wakeUp, partners)) await learn(subscription);
        else if (wakeUp.resync) await learnMoved();
        return wakeUp;
      },
      *emit(wakeUp) {
        if (!isClosed) presenceHandle ??= presence.arrive(actor.id);
        const before = emitted;
        emitted = new Set(
          [...partners.values()].flatMap(({ id, isWritable }) => (isWritable && presence.isPresent(id) ? [id] : [])),
        );
        yield* changesOf({ before, now: emitted, isResync: wakeUp.resync });
        for (const [conversationId, { id, isWritable }] of partners) {
          if (isWritable && wakeUp.subjects.has(`typing:${conversationId}:${id}`))
            yield { type: "typing" as const, userId: id, conversationId };
        }
      },
      onRefused: () => presenceHandle?.revoke(),
    };
  };

  async function learn(subscription: Subscription): Promise<void> {
    const present = await listPartners(db, { actor });
    if (present === partners) return;
    partners = present;
    for (const { conversationId, id } of partners.values()) {
      subscription.join(`presence:${id}`);
      subscription.join(`account:${id}`);
      subscription.join(`typing:${conversationId}:${id}`);
    }
  }
}

/** Whether a wake-up is about the actor's partners rather than their messages. */
function isNews({ subjects }: WakeUp, partners: ReadonlyMap<string, Partner>): boolean {
  const isNew = (subject: string) =>
    /^(account|cover):/.test(subject) || (subject.startsWith("conversation:") && !partners.has(subject.slice(13)));
  return [...subjects].some(isNew);
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
  if (!before || (isResync && came.length + went.length > 0)) return [{ type: "everyone" as const, userIds: [...now] }];
  const turned = (userId: string, isPresent: boolean) => ({ type: "presence" as const, userId, isPresent });
  return [...came.map((id) => turned(id, true)), ...went.map((id) => turned(id, false))];
}
