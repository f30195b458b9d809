import type { AccountType } from "@db/enums";
import { type LiveTopic, watchTopicsSchema } from "../contract/live";
import { activeProcedure, requireType } from "../core/procedures";
import { router } from "../core/trpc";
import { watchTopics } from "./events";

/** Who may follow what not everybody may: as the topic's own subscription. */
const FOLLOWERS: Partial<Record<LiveTopic, AccountType[]>> = {
  users: ["admin"],
  inquiries: ["admin"],
  github: ["client", "admin"],
  audit: ["admin"],
  findings: ["user", "admin"],
};

export const liveRouter = router({
  /**
   * All that one page follows, in one stream: the events of each topic as its own subscription emits them. Heartbeats carry an id;
   * with it as `lastEventId` each topic begins with `resumed` when its missed changes follow, else with `resync`: what is
   * shown of it is to be read again. Presence begins with everyone instead.
   */
  onEvent: activeProcedure
    .input(watchTopicsSchema)
    .use(({ ctx, input, next }) => {
      for (const topic of input.topics) requireType(ctx.actor, FOLLOWERS[topic] ?? [ctx.actor.accountType]);
      return next();
    })
    .subscription(({ ctx, input: { topics, lastEventId }, signal }) =>
      watchTopics({ ctx, signal, topics, cursor: lastEventId }),
    ),
});
