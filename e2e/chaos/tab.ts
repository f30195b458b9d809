import { randomUUID } from "node:crypto";
import { messageOutbox } from "@/features/chat/outbox";
import { commentOutbox } from "@/features/comments/outbox";
import { type Commenter, createCommenter } from "./commenter";
import type { Participant, Screen } from "./history";
import type { StreamKind } from "./inbox";
import { createJournal } from "./journal";
import { createOutbox } from "./outbox";
import { Page } from "./page";
import { doOneOf, type Random } from "./random";
import { isStored, type Recorder } from "./recorder";

/** A person at a tab. */
export interface Tab {
  name: string;
  person: Participant;
  /** Opens the conversation and sends a message. `filler` makes it long. */
  write(partnerId: string, filler?: string): void;
  /** Sends the same message twice at once, as a double click or a proxy might. */
  writeTwice(partnerId: string): Promise<void>;
  /** Sends another text under the key of a stored message. */
  writeUnderUsedKey(partnerId: string): Promise<void>;
  /** What the person does with comments. */
  comments: Commenter;
  page(): Page;
  /** Nobody is at the tab: it stays as it is. */
  setAlone(isAlone: boolean): void;
  isAlone(): boolean;
  /** Loses everything in memory but the outbox. */
  reload(): void;
  screen(): Screen;
  hasSentAll(): boolean;
  isAtRest(): boolean;
  close(): void;
}

interface TabOptions {
  name: string;
  person: Participant;
  url: string;
  cookie: string;
  recorder: Recorder;
  stream: StreamKind;
  /** Unique to this round. */
  mark: string;
  /** The tasks that the person discusses. */
  taskIds: readonly string[];
}

export function openTab({ name, person, url, cookie, recorder, stream, mark, taskIds }: TabOptions): Tab {
  const outbox = createOutbox(messageOutbox);
  const unsentComments = createOutbox(commentOutbox);
  const used = new Map<string, string>();
  let life = 0;
  let count = 0;
  let isAlone = false;
  let page = load();
  const comments = createCommenter({
    tab: name,
    person,
    taskIds,
    page: () => page,
    recorder,
    nextText: () => nextText(""),
  });

  function load(): Page {
    const journal = createJournal(recorder, { tab: name, personId: person.id, life });
    return new Page({ personId: person.id, url, cookie, outbox, commentOutbox: unsentComments, journal, stream });
  }
  function nextText(filler = ""): string {
    count += 1;
    return `${mark} ${name} ${count}${filler === "" ? "" : `\n${filler}`}`;
  }
  function entryFor(partnerId: string, clientMessageId: string = randomUUID()) {
    const conversation = page.conversations().find(({ otherUser }) => otherUser.id === partnerId);
    const conversationId = conversation?.id ?? null;
    return { partnerId, conversationId, text: nextText(), clientMessageId, writtenAt: "", state: "sending" as const };
  }
  const hasSentAll = () => outbox.entries().length + unsentComments.entries().length === 0;
  return {
    name,
    person,
    write(partnerId, filler) {
      page.open(partnerId);
      const clientMessageId = randomUUID();
      used.set(partnerId, clientMessageId);
      page.write({ partnerId, text: nextText(filler), clientMessageId });
    },
    async writeTwice(partnerId) {
      const entry = entryFor(partnerId);
      const on = page;
      await Promise.all([1, 2].map(() => on.attempt(entry)));
    },
    async writeUnderUsedKey(partnerId) {
      const clientMessageId = used.get(partnerId);
      // Otherwise this one might become the first.
      if (!clientMessageId || !isStored(recorder, clientMessageId)) return;
      await page.attempt(entryFor(partnerId, clientMessageId), "CONFLICT");
    },
    comments,
    page: () => page,
    setAlone(next) {
      isAlone = next;
    },
    isAlone: () => isAlone,
    reload() {
      const partnerId = page.openPartner();
      const taskId = page.discussions.openTask();
      page.close();
      life += 1;
      page = load();
      page.open(partnerId);
      page.discussions.open(taskId);
    },
    screen: () => ({ tab: name, personId: person.id, ...page.screen() }),
    hasSentAll,
    isAtRest: () => page.isAtRest() && hasSentAll(),
    close: () => page.close(),
  };
}

/** Does something besides writing. */
export function fidget(tab: Tab, random: Random): void {
  const page = tab.page();
  const partnerId = random.pick(tab.person.partnerIds);
  const acts: readonly (readonly [weight: number, act: () => void])[] = [
    [4, () => page.open(partnerId)],
    [1, () => page.open(null)],
    [3, () => page.setAttentive(random.chance(0.7))],
    [2, () => void page.readOlder()],
    [2, () => page.retryLost()],
    [2, () => void tab.writeTwice(partnerId)],
    [1, () => void tab.writeUnderUsedKey(partnerId)],
    [1, () => tab.reload()],
  ];
  doOneOf(acts, random);
}
