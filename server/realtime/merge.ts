import type { ResumeEvent } from "../contract/live-cursor";
import type { Actor } from "../core/context";
import type { Subscription } from "./hub";
import type { Notification } from "./notify";
import { resumeEventOf, type Source, type StreamCall } from "./stream";

/** A source among others in one stream. */
export type Part<Event> = (subscription: Subscription) => Promise<OpenPart<Event>>;

interface OpenPart<Event> {
  /** Whether it begins with existing rows. */
  hasFirst: boolean;
  /** Reads what it has been woken up about, and returns what emits it. Null when it has not been. */
  read(): Promise<(actor: Actor) => Event[]> | null;
  resume(missed: readonly Notification[] | null): Event[];
  onRefused?: (() => void) | undefined;
}

/** A source as a part; `name` makes its events distinguishable from those of the others. */
export function partOf<Rows, Event, Named>(
  source: Source<Rows, Event>,
  name: (event: Event | ResumeEvent) => Named,
): Part<Named> {
  return async (subscription) => {
    const stream = await source(subscription);
    let { first } = stream;
    const read = async (wakeUp: NonNullable<typeof first>) => {
      const rows = await stream.read(wakeUp);
      // No generator: each of its kind would hold a prototype of its own.
      return (actor: Actor) => Array.from(stream.emit(rows, actor), (event) => name(event));
    };
    return {
      hasFirst: first !== undefined,
      read() {
        const wakeUp = first ?? subscription.take();
        first = undefined;
        return wakeUp && read(wakeUp);
      },
      // What begins with everything resumes nothing.
      resume: (missed) => (stream.first ? [] : [name(resumeEventOf(stream, { subscription, missed }))]),
      onRefused: stream.onRefused,
    };
  };
}

/**
 * Several parts in one stream: one wait, one check of the session and one heartbeat for all of them. Each has topics and wake-ups
 * of its own, so that a change is read only by the part that it is about. A part that fails ends the stream. Heartbeats carry a
 * live cursor: with it as `lastEventId` the stream goes on where it was.
 */
export function mergeParts<Event>(
  { feed, actor }: Pick<StreamCall, "feed" | "actor">,
  parts: readonly Part<Event>[],
): Source<((actor: Actor) => Event[])[], Event> {
  return async (subscription) => {
    let readFrom = feed.cursor();
    const open = await Promise.all(
      parts.map((begin) => {
        const own = subscription.fork();
        own.join(`account:${actor.id}`);
        return begin(own);
      }),
    );
    if (open.some(({ hasFirst }) => hasFirst)) subscription.notify(`account:${actor.id}`);
    return {
      read() {
        // Whatever has been notified up to now is read below.
        readFrom = feed.cursor();
        return Promise.all(open.flatMap(({ read }) => read() ?? []));
      },
      emit: (emitters, present) => emitters.flatMap((emit) => emit(present)),
      resume: (missed) => open.flatMap(({ resume }) => resume(missed)),
      onRefused() {
        for (const part of open) part.onRefused?.();
      },
      lastEventId: () => readFrom,
    };
  };
}
