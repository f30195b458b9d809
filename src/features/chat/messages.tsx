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
import type { ChatPlace, ToChatPlace } from "./chat-place";
import { readMessageDraft } from "./composer";
import { ConversationList, conversationLinkId } from "./conversation-list";
import { ConversationPane } from "./conversation-pane";
import { NewMessage } from "./new-message";
import { useUnsent } from "./outbox";
import { useConversations, useRecipients } from "./use-chat";

type MessagesProps = {
  place: ChatPlace;
  link: ToChatPlace;
  onGo: (place: ChatPlace, how?: { replace: boolean }) => void;
};

/** The conversations and the open one; a phone shows one or the other. Design 3.8. Give it a main that it may fill. */
export function Messages({ place, link, onGo }: MessagesProps) {
  const me = useMe();
  const router = useRouter();
  const conversations = useConversations();
  const open = useOpenConversation(place, conversations.data);
  const isOpen = place.c !== undefined || place.to !== undefined;
  const cameFromList = useRef(false);
  const startsTyping = useRef(false);
  useStartedConversation(place, conversations.data, onGo);
  useFocusInList(place.c);
  usePreloadedToasts();

  // The same as long as it does the same: every line of the list has it.
  const noteOpening = useCallback(() => {
    cameFromList.current = !isOpen;
    startsTyping.current = false;
  }, [isOpen]);
  function leave(): void {
    if (cameFromList.current) router.history.back();
    else onGo({}, { replace: true });
    cameFromList.current = false;
  }
  function write(partnerId: string): void {
    const known = conversations.data?.find(({ otherUser }) => otherUser.id === partnerId);
    cameFromList.current = !isOpen;
    startsTyping.current = true;
    onGo(known ? { c: known.id } : { to: partnerId });
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
        <ConversationList query={conversations} ownId={me.id} openId={place.c} link={link} onOpen={noteOpening} />
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
          <NoConversation isOpen={isOpen} isPending={open.isPending} place={place} onLeave={leave} />
        )}
      </div>
    </div>
  );
}

type OpenConversation = { partner: ChatPartner | null; conversation: Conversation | null; isPending: boolean };

/** Who the address is about. A person with whom there is no conversation yet has none until the first message. */
function useOpenConversation({ c, to }: ChatPlace, list: readonly Conversation[] | undefined): OpenConversation {
  const { id: ownId } = useMe();
  const unsent = useUnsent(ownId);
  const isNew = c === undefined && to !== undefined;
  const recipients = useRecipients({ enabled: isNew });
  const person = isNew ? recipients.data?.find(({ id }) => id === to) : undefined;
  // Who may not be written to any more stays on the screen, with what one was writing.
  const [last, setLast] = useState(person);
  if (person && person !== last) setLast(person);
  const conversation = list?.find(({ id, otherUser }) => (c === undefined ? otherUser.id === to : id === c)) ?? null;
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
  { c, to }: ChatPlace,
  list: readonly Conversation[] | undefined,
  onGo: MessagesProps["onGo"],
) {
  const started =
    c === undefined && to !== undefined ? list?.find(({ otherUser }) => otherUser.id === to)?.id : undefined;
  const go = useRef(onGo);
  useEffect(() => {
    go.current = onGo;
  });
  useEffect(() => {
    if (started !== undefined) go.current({ c: started }, { replace: true });
  }, [started]);
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

type NoConversationProps = { isOpen: boolean; isPending: boolean; place: ChatPlace; onLeave: () => void };

function NoConversation({ isOpen, isPending, place, onLeave }: NoConversationProps) {
  if (!isOpen) return <EmptyState icon={MessageCircle} message={CHAT_MESSAGES.emptyPane} className="my-auto" />;
  return (
    <Delayed pending={isPending} label="Loading the conversation" skeleton={null}>
      {() => (
        <EmptyState
          icon={UserX}
          message={place.c === undefined ? CHAT_MESSAGES.recipientNotFound : CHAT_MESSAGES.notFound}
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
