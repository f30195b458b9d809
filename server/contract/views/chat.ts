import type { MessageKind } from "@db/enums";
import type { File } from "./files";
import type { Person } from "./people";
import type { Turn } from "./turns";

/** One message of a conversation; `seq` counts from 1 and is the order that all screens share. */
export interface Message {
  id: string;
  conversationId: string;
  seq: number;
  senderId: string;
  text: string;
  /** ISO-8601 UTC, milliseconds. */
  timestamp: string;
  /** Whether the other participant has read up to it. */
  read: boolean;
  /** The sender's own key; null for the other participant. */
  clientMessageId: string | null;
  kind: MessageKind;
  /** What came with it, in the order in which it was chosen. */
  files: File[];
}

/** The other one of a conversation; "Unknown User" when the person is gone. `isActive`: may be written to. */
export interface ChatPartner extends Pick<Person, "id" | "name" | "accountType" | "profileImgLink"> {
  isActive: boolean;
}

/** A conversation as one of its two participants sees it. */
export interface Conversation {
  id: string;
  otherUser: ChatPartner;
  lastMessage: Pick<Message, "text" | "timestamp" | "senderId"> | null;
  unreadCount: number;
  lastSeq: number;
  /** Up to where the reader and the other one have read. */
  ownReadSeq: number;
  otherReadSeq: number;
  /** Who owes the next message: the firm or its client. Nobody where neither of the two is a client. */
  turn: Turn;
  createdAt: string;
  updatedAt: string;
}

export interface MessagePage {
  /** Ascending by seq. */
  items: Message[];
  /** The `before` that brings the page of older ones; null at the beginning. */
  nextCursor: number | null;
}

/** An event of a conversation's stream, tracked by the seq of the newest message that the stream has sent. */
export type ConversationEvent =
  | { type: "message"; message: Message }
  | { type: "read"; readerId: string; upToSeq: number };

/**
 * What is true of the people one writes with at this moment and is stored nowhere. `everyone` comes first, and again whenever
 * something may have been missed: all of them who look at a page of theirs now. `typing` holds for a few seconds.
 */
export type PresenceEvent =
  | { type: "everyone"; userIds: string[] }
  | { type: "presence"; userId: string; isPresent: boolean }
  | { type: "typing"; userId: string; conversationId: string };

/** A conversation of one's own has changed. */
export interface InboxChange {
  conversation: Conversation;
  unreadTotal: number;
}
