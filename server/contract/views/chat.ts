import type { MessageKind, TaskStatus } from "@db/enums";
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
  /** `system`: a line of the server, such as that a task is completed. Nobody has to read it. */
  kind: MessageKind;
  /** Whoever wrote it while covering for the admin; null where one of the two wrote it, and for one's own. */
  senderName: string | null;
  /** The task that it became; null also where the reader may not see its project. */
  chip: MessageChip | null;
  /** What came with it, in the order in which it was chosen. */
  files: File[];
}

/** A task that a message became. `key`: such as `HBP-12`. */
export interface MessageChip {
  taskId: string;
  key: string;
  status: TaskStatus;
}

/** Who stands in for the admin of a conversation, and until when; null: until it is taken back. */
export interface ConversationCover {
  person: Person;
  /** ISO-8601 UTC, milliseconds. */
  until: string | null;
}

/** A conversation of somebody who is no active admin any more, for the other admins: who it is between, and nothing that was said. */
export interface OrphanedConversation {
  conversationId: string;
  owner: Person;
  otherUser: Person;
  cover: ConversationCover | null;
}

/** The other one of a conversation; "Unknown User" when the person is gone. `isActive`: may be written to. */
export interface ChatPartner extends Pick<Person, "id" | "name" | "accountType" | "profileImgLink"> {
  isActive: boolean;
}

/** A conversation as one of its two participants sees it, or who covers it. */
export interface Conversation {
  id: string;
  otherUser: ChatPartner;
  lastMessage: Pick<Message, "text" | "timestamp" | "senderId" | "kind"> | null;
  unreadCount: number;
  lastSeq: number;
  /** Who stands in for its admin now: that one alone writes and has the unread count on the admin's side. */
  cover: ConversationCover | null;
  /** For who covers it: in whose place. Else null. */
  coversFor: Person | null;
  /** Up to where the reader's side and the other one have read. */
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

/**
 * An event of a conversation's stream. Its id is the seq of the newest message that the stream has sent, and after a point the number of
 * the newest change of a chip, where there is one.
 */
export type ConversationEvent =
  | { type: "message"; message: Message }
  | { type: "read"; readerId: string; upToSeq: number }
  | { type: "chip"; messageId: string; chip: MessageChip | null };

/**
 * What is true of the people one writes with at this moment and is stored nowhere. `everyone` comes first, and again whenever
 * something may have been missed: all of them who look at a page of theirs now. `typing` holds for a few seconds.
 */
export type PresenceEvent =
  | { type: "everyone"; userIds: string[] }
  | { type: "presence"; userId: string; isPresent: boolean }
  | { type: "typing"; userId: string; conversationId: string };

/** A conversation of one's own has changed; or one that somebody has covered is no longer open to them. */
export type InboxChange =
  | { conversation: Conversation; unreadTotal: number }
  | { conversation: null; removedId: string; unreadTotal: number };
