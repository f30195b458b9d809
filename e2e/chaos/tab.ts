import { randomUUID } from "node:crypto";
import type { Participant, Recorder, Screen } from "./history";
import type { StreamKind } from "./inbox";
import { createJournal, type Journal } from "./journal";
import { attempt, createOutbox } from "./outbox";
import { Page } from "./page";
import type { Random } from "./random";

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
}

export function openTab({ name, person, url, cookie, recorder, stream, mark }: TabOptions): Tab {
  const outbox = createOutbox();
  const used = new Map<string, string>();
  let life = 0;
  let count = 0;
  let isAlone = false;
  let journal: Journal;
  let page = load();

  function load(): Page {
    journal = createJournal(recorder, { tab: name, personId: person.id, life });
    return new Page({ personId: person.id, url, cookie, outbox, journal, stream });
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
      await Promise.all([1, 2].map(() => attempt(entry, { post: (one) => on.post(one), journal, mustFailWith: null })));
    },
    async writeUnderUsedKey(partnerId) {
      const clientMessageId = used.get(partnerId);
      // Only if the first is certainly stored: otherwise this one might become the first.
      const isSent = recorder.entries.some(
        (entry) => entry.type === "operation" && entry.key === clientMessageId && entry.outcome === "ok",
      );
      if (!clientMessageId || !isSent) return;
      await attempt(entryFor(partnerId, clientMessageId), {
        post: (entry) => page.post(entry),
        journal,
        mustFailWith: "CONFLICT",
      });
    },
    page: () => page,
    setAlone(next) {
      isAlone = next;
    },
    isAlone: () => isAlone,
    reload() {
      const partnerId = page.openPartner();
      page.close();
      life += 1;
      page = load();
      page.open(partnerId);
    },
    screen: () => ({ tab: name, personId: person.id, ...page.screen() }),
    hasSentAll: () => outbox.entries().length === 0,
    isAtRest: () => page.isAtRest() && outbox.entries().length === 0,
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
  let left = random.between(
    0,
    acts.reduce((sum, [weight]) => sum + weight, 0),
  );
  for (const [weight, act] of acts) {
    left -= weight;
    if (left >= 0) continue;
    act();
    return;
  }
}
