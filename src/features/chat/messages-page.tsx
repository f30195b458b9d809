import { CHAT_MESSAGES } from "@server/contract/messages/chat";
import { PROJECT_MESSAGES } from "@server/contract/messages/projects";
import type { ChatPartner, Conversation } from "@server/contract/views";
import { useRouter } from "@tanstack/react-router";
import { MessageCircle, UserX } from "lucide-react";
import { useCallback, useEffect, useRef, useState } from "react";
import { useMe } from "@/features/auth/use-auth";
import { cn } from "@/lib/cn";
import { Delayed } from "@/ui/delayed";
import { EmptyState } from "@/ui/empty-state";
import { readMessageDraft } from "./composer";
import { type ChatAddress, useChatAddress, useOpenChat } from "./conversation-link";
import { ConversationList, conversationLinkId } from "./conversation-list";
import { ConversationPane } from "./conversation-pane";
import { NewMessage } from "./new-message";
import { useUnsent } from "./outbox";
import { useConversations, useRecipients } from "./use-chat";

/** The conversations and the open one; a phone shows one or the other. Design 3.8. Give it a main that it may fill. */
export function MessagesPage() {
  const address = useChatAddress();
  const { conversationId, to } = address;
  const openChat = useOpenChat();
  const me = useMe();
  const router = useRouter();
  const conversations = useConversations();
  const open = useOpenConversation(address, conversations.data);
  const isOpen = conversationId !== undefined || to !== undefined;
  const cameFromList = useRef(false);
  const startsTyping = useRef(false);
  useStartedConversation(address, conversations.data, openChat);
  useFocusInList(conversationId);
  usePreloadedToasts();

  // The same as long as it does the same: every line of the list has it.
  const noteOpening = useCallback(() => {
    cameFromList.current = !isOpen;
    startsTyping.current = false;
  }, [isOpen]);
  function leave(): void {
    if (cameFromList.current) router.history.back();
    else openChat({}, { replace: true });
    cameFromList.current = false;
  }
  function write(partnerId: string): void {
    const known = conversations.data?.find(({ otherUser }) => otherUser.id === partnerId);
    cameFromList.current = !isOpen;
    startsTyping.current = true;
    openChat(known ? { conversationId: known.id } : { to: partnerId });
  }
  return (
    <div className="relative flex min-h-0 flex-1 flex-col sm:grid sm:grid-cols-[280px_minmax(0,1fr)] lg:grid-cols-[340px_minmax(0,1fr)]">
      <div className={cn("flex min-h-0 flex-1 flex-col border-line sm:border-e", isOpen && "max-sm:hidden")}>
        <div className="flex h-[68px] shrink-0 items-center justify-between gap-3 px-4 sm:ps-5">
          <h1 tabIndex={-1} className="truncate text-h1 sm:max-lg:text-h3">
            Messages
          </h1>
          <NewMessage onChoose={write} />
        </div>
        <ConversationList query={conversations} ownId={me.id} openId={conversationId} onOpen={noteOpening} />
      </div>
      <div className={cn("flex min-h-0 min-w-0 flex-1 flex-col", !isOpen && "max-sm:hidden")}>
        {open.partner ? (
          <ConversationPane
            key={open.partner.id}
            ownId={me.id}
            partner={open.partner}
            conversation={open.conversation}
            startsTyping={startsTyping}
            onLeave={leave}
          />
        ) : (
          <NoConversation
            isOpen={isOpen}
            isPending={open.isPending}
            isNew={conversationId === undefined}
            onLeave={leave}
          />
        )}
      </div>
    </div>
  );
}

type OpenConversation = { partner: ChatPartner | null; conversation: Conversation | null; isPending: boolean };

/** Who the address is about. A person with whom there is no conversation yet has none until the first message. */
function useOpenConversation(
  { conversationId, to }: ChatAddress,
  list: readonly Conversation[] | undefined,
): OpenConversation {
  const { id: ownId } = useMe();
  const unsent = useUnsent(ownId);
  const isNew = conversationId === undefined && to !== undefined;
  const recipients = useRecipients({ enabled: isNew });
  const person = isNew ? recipients.data?.find(({ id }) => id === to) : undefined;
  // Who may not be written to any more stays on the screen, with what one was writing.
  const [last, setLast] = useState(person);
  if (person && person !== last) setLast(person);
  const conversation =
    list?.find(({ id, otherUser }) => (conversationId === undefined ? otherUser.id === to : id === conversationId)) ??
    null;
  if (conversation) return { partner: conversation.otherUser, conversation, isPending: false };
  const partner = person ?? (isNew && last?.id === to ? last : undefined);
  const isPending = list === undefined || (isNew && recipients.isPending);
  if (partner && list) return { partner: { ...partner, isActive: partner === person }, conversation: null, isPending };
  const hasText =
    isNew && (unsent.some(({ partnerId }) => partnerId === to) || readMessageDraft({ ownId, partnerId: to }) !== "");
  return { partner: hasText && !isPending ? { ...UNKNOWN_PERSON, id: to } : null, conversation: null, isPending };
}

/** Stands for somebody who can no longer be found, over what was written to them. */
const UNKNOWN_PERSON = {
  name: PROJECT_MESSAGES.unknownUser,
  accountType: "user",
  profileImgLink: null,
  isActive: false,
} as const;

/** Once there is a conversation with the person whom one began to write to, the address names it. */
function useStartedConversation(
  { conversationId, to }: ChatAddress,
  list: readonly Conversation[] | undefined,
  openChat: ReturnType<typeof useOpenChat>,
) {
  const started =
    conversationId === undefined && to !== undefined
      ? list?.find(({ otherUser }) => otherUser.id === to)?.id
      : undefined;
  useEffect(() => {
    if (started !== undefined) openChat({ conversationId: started }, { replace: true });
  }, [started, openChat]);
}

/** That nothing can be sent has mostly to be said when the code that says it cannot be fetched either. */
function usePreloadedToasts(): void {
  useEffect(() => void import("@/ui/toaster").catch(() => {}), []);
}

/** On a phone the list comes back with the focus where it was left. */
function useFocusInList(openId: string | undefined): void {
  const before = useRef(openId);
  useEffect(() => {
    if (openId === undefined && before.current !== undefined) {
      document.getElementById(conversationLinkId(before.current))?.focus();
    }
    before.current = openId;
  }, [openId]);
}

type NoConversationProps = { isOpen: boolean; isPending: boolean; isNew: boolean; onLeave: () => void };

function NoConversation({ isOpen, isPending, isNew, onLeave }: NoConversationProps) {
  if (!isOpen) return <EmptyState icon={MessageCircle} message={CHAT_MESSAGES.emptyPane} className="my-auto" />;
  return (
    <Delayed pending={isPending} label="Loading the conversation" skeleton={null}>
      {() => (
        <EmptyState
          icon={UserX}
          message={isNew ? CHAT_MESSAGES.recipientNotFound : CHAT_MESSAGES.notFound}
          className="my-auto"
          action={
            <button
              type="button"
              onClick={onLeave}
              className="font-medium text-brand-text underline underline-offset-3"
            >
              All conversations
            </button>
          }
        />
      )}
    </Delayed>
  );
}
