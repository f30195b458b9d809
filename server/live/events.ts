import { auditSource } from "../audit/events";
import { inboxSource } from "../chat/events";
import { presenceSource } from "../chat/presence";
import type { LiveTopic } from "../contract/live";
import type { ResumeEvent } from "../contract/live-cursor";
import type { LiveEvent } from "../contract/views";
import type { Context } from "../core/context";
import { findingSource } from "../findings/events";
import { activitySource } from "../github/events";
import { inquirySource } from "../inquiries/events";
import { labelSource } from "../labels/events";
import { notificationSource } from "../notifications/events";
import { projectSource } from "../projects/events";
import { mergeParts, type Part, partOf } from "../realtime/merge";
import { type Opening, openStream, type Source, type StreamCall } from "../realtime/stream";
import { requestSource } from "../requests/events";
import { accountSource } from "../users/events";

type Call = StreamCall & Pick<Context, "presence">;

/**
 * The events of several topics in one stream: each topic's as its own subscription emits them, with its name. The caller has to be
 * allowed to follow all of them.
 */
export function watchTopics({
  topics,
  ...opening
}: Opening & { ctx: Call; topics: readonly LiveTopic[] }): Promise<AsyncIterable<LiveEvent>> {
  const { ctx } = opening;
  const parts = [...new Set(topics)].map((topic) => PARTS[topic](ctx));
  return openStream(opening, mergeParts(ctx, parts));
}

const PARTS: Record<LiveTopic, (ctx: Call) => Part<LiveEvent>> = {
  projects: topicOf("projects", (ctx) => projectSource({ ctx })),
  inbox: topicOf("inbox", inboxSource),
  presence: topicOf("presence", presenceSource),
  notifications: topicOf("notifications", notificationSource),
  users: topicOf("users", accountSource),
  inquiries: topicOf("inquiries", inquirySource),
  github: topicOf("github", activitySource),
  audit: topicOf("audit", auditSource),
  labels: topicOf("labels", labelSource),
  requests: topicOf("requests", requestSource),
  findings: topicOf("findings", findingSource),
};

function topicOf<Topic extends LiveTopic, Rows, Event extends object>(
  topic: Topic,
  sourceOf: (ctx: Call) => Source<Rows, Event>,
) {
  type Named = { topic: Topic; event: Event | ResumeEvent };
  const shared = new WeakMap<Event | ResumeEvent, Readonly<Named>>();
  /** An event that many watchers share stays one object, so that it is encoded once. */
  function name(event: Event | ResumeEvent): Named {
    if (!Object.isFrozen(event)) return { topic, event };
    const named = shared.get(event) ?? Object.freeze({ topic, event });
    shared.set(event, named);
    return named;
  }
  return (ctx: Call) => partOf(sourceOf(ctx), name);
}
