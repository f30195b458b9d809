import type { Conversation, Message } from "@server/contract/views";
import { type UnreadReach, unreadReach } from "@/features/chat/message-pages";
import type { UnsentMessage } from "@/features/chat/outbox";
import { NOTHING_RECEIVED, threadOf } from "@/features/chat/thread";
import type { UnsentComment } from "@/features/comments/outbox";
import { createQueryClient } from "@/lib/query-client";
import { type BrowserClient, type ConnectionState, createBrowserClient } from "./browser-client";
import { createDiscussions, type Discussions } from "./discussions";
import { labelOf, type Operation, type Screen, type ThreadView } from "./history";
import { type Inbox, openInbox, type StreamKind } from "./inbox";
import type { Journal } from "./journal";
import { messageSending } from "./message-sending";
import { createReceivedStore, type OpenThread, openThread, type ReceivedStore } from "./open-thread";
import { attempt, createDelivery, type Outbox, type Sending } from "./outbox";
import { createReadMarks } from "./read-marks";

const FRAME_MS = 16;

interface PageOptions {
  personId: string;
  url: string;
  cookie: string;
  outbox: Outbox<UnsentMessage>;
  commentOutbox: Outbox<UnsentComment>;
  journal: Journal;
  stream: StreamKind;
}

/** What is fixed while a conversation is open. */
interface Visit {
  partnerId: string;
  reach: UnreadReach;
  /** There was no conversation when it was opened. */
  hasBegunHere: boolean;
  marks: ReturnType<typeof createReadMarks>;
  thread: OpenThread | null;
}

/**
 * The Messages page without a browser. Uses the app's own cache, merging and rules, so that its screen is what React would
 * render.
 */
export class Page {
  readonly client: BrowserClient["client"];
  /** The task page, beside the conversation. */
  readonly discussions: Discussions;
  readonly #closeClient: () => void;
  readonly #options: PageOptions;
  readonly #queryClient = createQueryClient();
  readonly #left = new AbortController();
  readonly #inbox: Inbox;
  readonly #received: ReceivedStore;
  readonly #sending: Sending<UnsentMessage, Message>;
  readonly #delivery: ReturnType<typeof createDelivery<UnsentMessage, Message>>;
  #visit: Visit | null = null;
  #visits = 0;
  #isAttentive = true;
  #connection: ConnectionState = "idle";
  #frame: NodeJS.Timeout | undefined;
  #drawn = { inbox: "", thread: "", discussion: "" };

  constructor(options: PageOptions) {
    const { personId, url, cookie, outbox, commentOutbox, journal, stream: kind } = options;
    this.#options = options;
    const { client, cursors, close } = createBrowserClient({
      url,
      cookie,
      onConnection: (state) => this.#noteConnection(state),
    });
    this.client = client;
    this.#closeClient = close;
    const onChange = () => this.#sync();
    this.#received = createReceivedStore(onChange);
    this.#inbox = openInbox({ kind, client, cursors, queryClient: this.#queryClient, onChange, journal });
    const { signal } = this.#left;
    const onConversation = (conversation: Conversation) => this.#inbox.put(conversation);
    this.#sending = messageSending({ client, journal, onConversation });
    const onStored = (message: Message) => this.#received.noteMessage(message);
    this.#delivery = createDelivery({ outbox, sending: this.#sending, signal, onStored, onChange });
    const shared = { client, queryClient: this.#queryClient, journal, signal, onChange };
    this.discussions = createDiscussions({ ownId: personId, outbox: commentOutbox, ...shared });
    this.retryLost();
  }

  /** Opens the conversation with that person, or the list. */
  open(partnerId: string | null): void {
    if (partnerId === this.openPartner()) return;
    this.#leaveVisit();
    this.#visits += 1;
    if (partnerId !== null) {
      const conversation = this.#conversationWith(partnerId);
      const [reach, hasBegunHere] = [unreadReach(conversation), conversation === null];
      this.#visit = { partnerId, reach, hasBegunHere, marks: this.#startMarks(), thread: null };
    }
    this.#sync();
  }

  openPartner(): string | null {
    return this.#visit?.partnerId ?? null;
  }

  /** Whether somebody looks at the window, so that new messages are marked read. */
  setAttentive(isAttentive: boolean): void {
    this.#isAttentive = isAttentive;
    this.#sync();
  }

  write({ partnerId, text, clientMessageId }: Pick<UnsentMessage, "partnerId" | "text" | "clientMessageId">): void {
    const conversationId = this.#conversationWith(partnerId)?.id ?? null;
    const writtenAt = new Date().toISOString();
    this.#delivery.send({ clientMessageId, partnerId, conversationId, text, writtenAt, state: "sending" });
  }

  /** One recorded attempt, past the outbox. */
  attempt(entry: UnsentMessage, mustFailWith?: Operation["mustFailWith"]): Promise<unknown> {
    return attempt(entry, this.#sending, mustFailWith);
  }

  retryLost(): void {
    this.#delivery.retryLost();
    this.discussions.retryLost();
  }

  /** As scrolling up does: reads the next older pages, if there are any. */
  async readOlder(): Promise<void> {
    await Promise.all([this.#visit?.thread?.readOlder(), this.discussions.readOlder()]);
  }

  conversations(): readonly Conversation[] {
    return this.#inbox.list();
  }

  screen(): Omit<Screen, "tab" | "personId"> {
    return {
      inbox: this.#inbox.lines(),
      thread: this.#threadView(),
      unreadTotal: this.#inbox.unreadTotal(),
      discussion: this.discussions.view(),
      streamed: this.discussions.streamed(),
    };
  }

  /** Nothing is under way or waiting. */
  isAtRest(): boolean {
    const visit = this.#visit;
    const isVisitRead = !visit || (visit.marks.isAtRest() && visit.thread?.isAtRest() !== false);
    const isRead = isVisitRead && this.discussions.isAtRest();
    return this.#connection === "open" && this.#inbox.isAtRest() && isRead && this.#frame === undefined;
  }

  close(): void {
    this.#left.abort();
    clearTimeout(this.#frame);
    this.#leaveVisit();
    this.discussions.leave();
    this.#inbox.close();
    this.#closeClient();
    this.#queryClient.clear();
    this.#options.journal.leave();
    this.#options.outbox.unload();
    this.#options.commentOutbox.unload();
  }

  #conversationWith(partnerId: string): Conversation | null {
    return this.#inbox.list().find(({ otherUser }) => otherUser.id === partnerId) ?? null;
  }

  #leaveVisit(): void {
    this.#visit?.thread?.leave();
    this.#visit?.marks.stop();
    this.#visit = null;
  }

  #startMarks() {
    return createReadMarks({
      show: (seen) => this.#inbox.showSeen(seen),
      send: ({ conversationId, upToSeq }) =>
        this.#options.journal.note({ operation: "markRead", key: conversationId, upToSeq }, () =>
          this.client.chat.markRead.mutate({ conversationId, upToSeq }),
        ),
      onChange: () => this.#sync(),
    });
  }

  #noteConnection(next: ConnectionState): void {
    if (next === this.#connection) return;
    const isBack = next === "open" && this.#connection === "away";
    this.#connection = next;
    this.#options.journal.connection(next === "open");
    if (isBack) this.retryLost();
  }

  /** Does what React's effects do after a change. */
  #sync(): void {
    if (this.#left.signal.aborted) return;
    const visit = this.#visit;
    const conversation = visit && this.#conversationWith(visit.partnerId);
    if (visit && conversation) {
      visit.thread ??= openThread({
        conversationId: conversation.id,
        reach: visit.reach,
        client: this.client,
        queryClient: this.#queryClient,
        received: this.#received,
        onChange: () => this.#sync(),
        journal: this.#options.journal,
      });
      visit.thread.sync();
      visit.marks.follow(conversation, this.#isAttentive && visit.thread.pages() !== undefined);
    }
    this.discussions.sync();
    this.#frame ??= setTimeout(() => this.#draw(), FRAME_MS);
  }

  #draw(): void {
    this.#frame = undefined;
    const { inbox, thread, discussion } = this.screen();
    const { journal } = this.#options;
    if (this.#isNews("inbox", inbox)) journal.inbox(inbox);
    if (thread && this.#isNews("thread", thread)) journal.thread(this.#visits, thread);
    if (discussion && this.#isNews("discussion", discussion)) journal.discussion(this.discussions.visits(), discussion);
  }

  #isNews(part: "inbox" | "thread" | "discussion", view: unknown): boolean {
    const text = JSON.stringify(view);
    const isNews = text !== this.#drawn[part];
    this.#drawn[part] = text;
    return isNews;
  }

  #threadView(): ThreadView | null {
    const visit = this.#visit;
    if (!visit) return null;
    const { partnerId, thread, hasBegunHere } = visit;
    const { personId, outbox } = this.#options;
    const conversation = this.#conversationWith(partnerId);
    const pages = thread?.pages();
    const items = threadOf({
      pages: pages ?? [],
      received: conversation && (pages || hasBegunHere) ? this.#received.of(conversation.id) : NOTHING_RECEIVED,
      unsent: outbox.entries().filter((one) => one.partnerId === partnerId),
      people: { ownId: personId, isAdmin: false, partner: { id: partnerId, name: partnerId }, coversFor: null },
      otherReadSeq: conversation?.otherReadSeq ?? 0,
    });
    return {
      partnerId,
      conversationId: conversation?.id ?? null,
      items: items.map(({ seq, text, state }) => [seq, labelOf(text), state] as const),
      isWhole: thread?.isWhole() ?? false,
    };
  }
}
