import { setTimeout as sleep } from "node:timers/promises";
import type { Company } from "./company";
import type { Database } from "./database";
import { probe } from "./outsider";
import { lookBack } from "./overviews";
import type { Random } from "./random";
import { fidget } from "./tab";

const MESSAGES_PER_SECOND = 20;
const ACTS_PER_SECOND = 4;
const COMMENT_ACTS_PER_SECOND = 6;
const LOOKS_BACK_PER_SECOND = 2;
const PUSHES_PER_SECOND = 1;
const PROBES_PER_SECOND = 3;

/** Of these rates the short form has this part: every kind of act comes, on fewer events to carry and compare. */
const SHORT_PART = 0.5;

/** People write, read and navigate, and outsiders probe, until it is stopped. */
export interface Traffic {
  /** Resolves once nobody begins anything new. */
  stop(): Promise<void>;
}

export function startTraffic(
  { tabs, outsiders, projectId, taskIds, cast }: Company,
  { random, database, isShort }: { random: Random; database: Database; isShort: boolean },
): Traffic {
  let isOver = false;
  const every = async (perSecond: number, chance: Random, act: () => void) => {
    if (perSecond === 0) return;
    // Catches up on actions that were due while this process was busy.
    const rate = perSecond * (isShort ? SHORT_PART : 1);
    for (let due = performance.now(); !isOver; due += (-Math.log(1 - chance.next()) * 1_000) / rate) {
      const waitMs = due - performance.now();
      if (waitMs > 0) await sleep(waitMs);
      if (!isOver) act();
    }
  };
  const attended = () => tabs.filter((tab) => !tab.isAlone());
  const chatting = tabs.some(({ person }) => person.partnerIds.length > 0);
  const [writing, acting, probing] = [random.fork("write"), random.fork("act"), random.fork("probe")];
  const [commenting, changing] = [random.fork("comment"), random.fork("change")];
  const [looking, pushing] = [random.fork("look back"), random.fork("push")];
  const loops = [
    every(chatting ? MESSAGES_PER_SECOND : 0, writing, () => {
      const tab = writing.pick(attended());
      const open = tab.page().openPartner();
      tab.write(open === null || writing.chance(0.2) ? writing.pick(tab.person.partnerIds) : open);
    }),
    every(cast.commentsPerSecond, commenting, () => {
      const tab = commenting.pick(attended());
      const open = tab.page().discussions.openTask();
      const taskId = open === null || commenting.chance(0.2) ? commenting.pick(tab.comments.taskIds) : open;
      tab.comments.write(taskId, tab.person.isClient || commenting.chance(0.5) ? "client" : "team");
    }),
    every(COMMENT_ACTS_PER_SECOND, changing, () => changing.pick(attended()).comments.fidget(changing)),
    every(LOOKS_BACK_PER_SECOND, looking, () => lookBack(looking.pick(attended()), { projectId, random: looking })),
    every(PUSHES_PER_SECOND, pushing, () => void database.push(projectId).catch(() => undefined)),
    every(chatting ? ACTS_PER_SECOND : 0, acting, () => fidget(acting.pick(attended()), acting)),
    every(outsiders.length > 0 ? PROBES_PER_SECOND : 0, probing, () => {
      const known = tabs.flatMap((tab) =>
        tab
          .page()
          .conversations()
          .map(({ id }) => id),
      );
      const { page, person, journal } = probing.pick(outsiders);
      const where = { taskIds, commentIds: commentsOf(tabs) };
      if (known.length > 0)
        void probe(page, { conversationId: probing.pick(known), ...where, person, journal, random: probing });
    }),
  ];
  return {
    async stop() {
      isOver = true;
      await Promise.all(loops);
    },
  };
}

function commentsOf(tabs: Company["tabs"]): string[] {
  return tabs.flatMap((tab) => tab.page().discussions.comments()).map(({ id }) => id);
}

/** The first messages of all pairs, from both sides, and the first comments, from every tab at once. */
export function begin({ tabs }: Company): void {
  for (const tab of tabs) {
    for (const partnerId of tab.person.partnerIds) {
      tab.write(partnerId);
      void tab.writeTwice(partnerId);
    }
    for (const taskId of tab.comments.taskIds) {
      tab.comments.write(taskId, "client");
      void tab.comments.writeTwice(taskId, "client");
    }
  }
}

const SEND_LAST_TIMEOUT_MS = 10_000;

/** Sends messages and comments from every tab. Resolves once all are stored, or after 10 s, as an earlier fault may not have healed. */
export async function sendLast({ tabs }: Company): Promise<void> {
  const until = performance.now() + SEND_LAST_TIMEOUT_MS;
  for (const tab of tabs) for (const partnerId of tab.person.partnerIds) tab.write(partnerId);
  for (const tab of tabs) for (const taskId of tab.comments.taskIds) tab.comments.write(taskId, "client");
  while (performance.now() < until && !tabs.every((tab) => tab.hasSentAll())) await sleep(20);
}
