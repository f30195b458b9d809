import type { Conversation } from "@server/contract/views";
import { NOTHING_RECEIVED, threadOf, type UnsentMessage } from "@/features/chat/chat-cache";
import { type UnreadReach, unreadReach } from "@/features/chat/message-pages";
import { createQueryClient } from "@/lib/query-client";
import { type BrowserClient, type ConnectionState, createBrowserClient } from "./browser-client";
import { labelOf, type Screen, type ThreadView } from "./history";
import { type Inbox, openInbox, type StreamKind } from "./inbox";
import type { Journal } from "./journal";
import { createReceivedStore, type OpenThread, openThread, type ReceivedStore } from "./open-thread";
import { createDelivery, type Outbox } from "./outbox";
import { createReadMarks } from "./read-marks";

const FRAME_MS = 16;

interface PageOptions {
  personId: string;
  url: string;
  cookie: string;
  outbox: Outbox;
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
  readonly #closeClient: () => void;
  readonly #options: PageOptions;
  readonly #queryClient = createQueryClient();
  readonly #left = new AbortController();
  readonly #inbox: Inbox;
  readonly #received: ReceivedStore;
  readonly #delivery: ReturnType<typeof createDelivery>;
  #visit: Visit | null = null;
  #visits = 0;
  #isAttentive = true;
  #connection: ConnectionState = "idle";
  #frame: NodeJS.Timeout | undefined;
  #drawn = { inbox: "", thread: "" };

  constructor(options: PageOptions) {
    const { url, cookie, outbox, journal, stream: kind } = options;
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
    this.#delivery = createDelivery({
      outbox,
      post: (entry) => this.post(entry),
      journal,
      signal: this.#left.signal,
      onStored: (message) => this.#received.noteMessage(message),
      onChange,
    });
    this.#delivery.retryLost();
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

  /** Sends one message, which may begin the conversation. */
  async post({ conversationId, partnerId: recipientId, text, clientMessageId }: UnsentMessage) {
    if (conversationId !== null) return this.client.chat.send.mutate({ conversationId, text, clientMessageId });
    const { conversation, message } = await this.client.chat.start.mutate({ recipientId, text, clientMessageId });
    this.#inbox.put(conversation);
    return message;
  }

  retryLost(): void {
    this.#delivery.retryLost();
  }

  /** As scrolling up does: reads the next older page, if there is one. */
  async readOlder(): Promise<void> {
    await this.#visit?.thread?.readOlder();
  }

  conversations(): readonly Conversation[] {
    return this.#inbox.list();
  }

  screen(): Omit<Screen, "tab" | "personId"> {
    return { inbox: this.#inbox.lines(), thread: this.#threadView(), unreadTotal: this.#inbox.unreadTotal() };
  }

  /** Nothing is under way or waiting. */
  isAtRest(): boolean {
    const visit = this.#visit;
    const isRead = !visit || (visit.marks.isAtRest() && visit.thread?.isAtRest() !== false);
    return this.#connection === "open" && this.#inbox.isAtRest() && isRead && this.#frame === undefined;
  }

  close(): void {
    this.#left.abort();
    clearTimeout(this.#frame);
    this.#leaveVisit();
    this.#inbox.close();
    this.#closeClient();
    this.#queryClient.clear();
    this.#options.journal.leave();
    this.#options.outbox.unload();
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
    if (isBack) this.#delivery.retryLost();
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
    this.#frame ??= setTimeout(() => this.#draw(), FRAME_MS);
  }

  #draw(): void {
    this.#frame = undefined;
    const { inbox, thread } = this.screen();
    if (this.#isNews("inbox", inbox)) this.#options.journal.inbox(inbox);
    if (thread && this.#isNews("thread", thread)) this.#options.journal.thread(this.#visits, thread);
  }

  #isNews(part: "inbox" | "thread", view: unknown): boolean {
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
      ownId: personId,
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
