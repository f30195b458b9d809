import type { Conversation } from "@server/contract/views";
import { previewOf } from "./chat-format";

export interface NotificationContext {
  ownId: string;
  /** The conversations in the cache now. */
  conversations(): readonly Conversation[] | undefined;
  /** Whether somebody looks at that conversation in this tab. */
  isSeen(conversationId: string): boolean;
  open(conversationId: string): void;
}

/** A message that somebody reads at once, in any tab or browser, is marked read by then. */
const STILL_UNREAD_MS = 1_000;

/** The last seq of each conversation at the previous call, and whose conversations they are. */
let known: { ownId: string; lastSeqs: Map<string, number> } | null = null;
const shown = new Map<string, Notification>();

/**
 * Shows a notification for messages that came from a partner since the last call and are unread a second later: one per
 * conversation, however many tabs are open. The first call only takes note. Closes those that were read elsewhere.
 */
export function noteConversations(list: readonly Conversation[], context: NotificationContext): void {
  const before = known?.ownId === context.ownId ? known.lastSeqs : null;
  known = { ownId: context.ownId, lastSeqs: new Map(list.map(({ id, lastSeq }) => [id, lastSeq])) };
  for (const conversation of list) {
    const { id, lastSeq } = conversation;
    if (conversation.unreadCount === 0) shown.get(id)?.close();
    if (!before || lastSeq <= (before.get(id) ?? 0) || !waits(conversation, context.ownId)) continue;
    setTimeout(() => {
      const now = context.conversations()?.find((one) => one.id === id);
      // A later message has a timer of its own.
      if (now && now.lastSeq === lastSeq && waits(now, context.ownId) && !context.isSeen(id)) show(now, context);
    }, STILL_UNREAD_MS);
  }
}

/** Closes all notifications: the next person at this computer must not read them. */
export function closeNotifications(): void {
  known = null;
  for (const notification of shown.values()) notification.close();
  shown.clear();
}

function waits({ lastMessage, unreadCount }: Conversation, ownId: string): boolean {
  return unreadCount > 0 && lastMessage !== null && lastMessage.senderId !== ownId;
}

function show({ id, otherUser, lastMessage }: Conversation, context: NotificationContext): void {
  if (!lastMessage || Notification.permission !== "granted") return;
  try {
    const notification = new Notification(otherUser.name, {
      body: previewOf(lastMessage.text),
      tag: `conversation:${id}`,
    });
    shown.set(id, notification);
    notification.onclose = () => {
      if (shown.get(id) === notification) shown.delete(id);
    };
    notification.onclick = () => {
      window.focus();
      notification.close();
      context.open(id);
    };
  } catch {
    // On Android only service workers may show notifications; the badge and the title show the count.
  }
}
