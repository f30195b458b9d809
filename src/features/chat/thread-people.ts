import type { ChatPartner, Conversation, Message } from "@server/contract/views";

/** Who reads a conversation, and with whom. */
export interface ThreadPeople {
  ownId: string;
  isAdmin: boolean;
  partner: Pick<ChatPartner, "id" | "name">;
  /** In whose place the reader writes; null in their own conversation. */
  coversFor: Conversation["coversFor"];
}

/** Who wrote a message, as the reader sees it: somebody on their own side is another admin of the conversation. */
export type Origin = "self" | "ours" | "theirs" | "system";

/** What tells who wrote it. Of a server of the version before it comes without the last two. */
type Written = Pick<Message, "senderId"> & Partial<Pick<Message, "kind" | "senderName">>;

export function originOf({ senderId, kind }: Written, { ownId, isAdmin, partner }: ThreadPeople): Origin {
  if (kind === "system") return "system";
  if (senderId === ownId) return "self";
  return isAdmin && senderId !== partner.id ? "ours" : "theirs";
}

/** The name of who wrote it: of the two, of whoever covered for one of them, or "You". */
export function authorOf({ senderId, senderName }: Written, { ownId, partner, coversFor }: ThreadPeople): string {
  if (senderId === ownId) return "You";
  return senderName ?? (senderId === coversFor?.id ? coversFor.name : partner.name);
}

/**
 * What drafts and unsent messages belong to. One's own conversation with a person, of which there is one and which may not have begun, is
 * named by that person, and one that is covered by its own id: somebody may write to the same person in both.
 */
export function threadKeyOf({
  partnerId,
  conversationId,
  isCover = false,
}: {
  partnerId: string;
  conversationId: string | null;
  isCover?: boolean | undefined;
}): string {
  return isCover && conversationId !== null ? conversationId : partnerId;
}

/** Whether the reader writes in the place of the conversation's admin. */
export function isCovering({ coversFor }: Pick<Conversation, "coversFor">): boolean {
  // Of a server of the version before a conversation comes without it.
  return Boolean(coversFor);
}

/** Whether somebody else than its reader covers an admin's conversation. */
export function isHandedOver(conversation: Pick<Conversation, "cover" | "coversFor">): boolean {
  return Boolean(conversation.cover) && !isCovering(conversation);
}
