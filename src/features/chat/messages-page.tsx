import { CHAT_MESSAGES } from "@server/contract/messages/chat";
import { PROJECT_MESSAGES } from "@server/contract/messages/projects";
import type { ChatPartner, Conversation } from "@server/contract/views";
import { useRouter } from "@tanstack/react-router";
import { MessageCircle, UserX } from "lucide-react";
import { lazy, type ReactNode, type RefObject, Suspense, useCallback, useEffect, useRef, useState } from "react";
import { useMe } from "@/features/auth/use-auth";
import { cn } from "@/lib/cn";
import { useUnsent } from "@/lib/outbox";
import { Delayed } from "@/ui/delayed";
import { EmptyState } from "@/ui/empty-state";
import { type ChatAddress, useChatAddress, useOpenChat } from "./conversation-link";
import { ConversationList, conversationLinkId } from "./conversation-list";
import { ConversationPane } from "./conversation-pane";
import { LeftTexts } from "./left-texts";
import { isEmptyDraft, readMessageDraft } from "./message-draft";
import { NewMessage } from "./new-message";
import { messageOutbox } from "./outbox";
import { isCovering, threadKeyOf } from "./thread-people";
import { useConversations, useRecipients } from "./use-chat";

const OrphanedConversations = lazy(() =>
  import("./orphaned-conversations").then((module) => ({ default: module.OrphanedConversations })),
);

// Lazily imported by other pages from here: a chunk of its own would be tiny.
export { NewMessage };

/** The list and the open conversation; a phone shows one of them. Needs a main that it can fill. Design 3.8. */
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
  const back = useRef<HTMLButtonElement>(null);
  // A link from another page, to write to somebody.
  const startsTyping = useRef(to !== undefined);
  useStartedConversation(address, conversations.data, openChat);
  useFocusInList(address);
  usePreloadedToasts();

  // Stable, as every row of the list receives it.
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
    const known = conversations.data?.find((one) => isOwnWith(one, partnerId));
    cameFromList.current = !isOpen;
    startsTyping.current = true;
    openChat(known ? { conversationId: known.id } : { to: partnerId });
  }
  const role = me.accountType === "admin" ? "admin" : "other";
  const firstMessage = <NewMessage label={FIRST_STEPS[role].label} variant="primary" onChoose={write} />;
  return (
    <div className="relative flex min-h-0 flex-1 flex-col sm:grid sm:grid-cols-[280px_minmax(0,1fr)] lg:grid-cols-[340px_minmax(0,1fr)] print:block">
      <div
        className={cn("flex min-h-0 flex-1 flex-col border-line sm:border-e", isOpen && "max-sm:hidden print:hidden")}
      >
        <div className="flex h-[68px] shrink-0 items-center justify-between gap-3 px-4 sm:ps-5">
          <h1 tabIndex={-1} className="truncate text-h1 sm:max-lg:text-h3">
            Messages
          </h1>
          <NewMessage onChoose={write} />
        </div>
        <ConversationList
          query={conversations}
          ownId={me.id}
          openId={conversationId}
          onOpen={noteOpening}
          firstStep={<div className="sm:hidden">{firstMessage}</div>}
        />
        {me.accountType === "admin" && (
          <Suspense>
            <OrphanedConversations />
          </Suspense>
        )}
      </div>
      <div className={cn("flex min-h-0 min-w-0 flex-1 flex-col", !isOpen && "max-sm:hidden print:hidden")}>
        {open.partner ? (
          <ConversationPane
            key={keyOf(open.partner, open.conversation)}
            ownId={me.id}
            partner={open.partner}
            conversation={open.conversation}
            startsTyping={startsTyping}
            onLeave={leave}
          />
        ) : isOpen ? (
          <NoConversation back={back} isPending={open.isPending} isNew={conversationId === undefined} onLeave={leave}>
            {conversationId !== undefined && (
              <LeftTexts key={conversationId} ownId={me.id} conversationId={conversationId} nextFocus={back} />
            )}
          </NoConversation>
        ) : conversations.isPending ? null : conversations.data?.length === 0 ? (
          <EmptyState icon={MessageCircle} message={FIRST_STEPS[role].hint} action={firstMessage} className="my-auto" />
        ) : (
          <EmptyState icon={MessageCircle} message={CHAT_MESSAGES.emptyPane} className="my-auto" />
        )}
      </div>
    </div>
  );
}

/** What an empty inbox offers. */
const FIRST_STEPS = {
  admin: {
    hint: "Only you and the other person can read a conversation, and an admin who covers for you.",
    label: "Write a message",
  },
  other: {
    hint: "Only you and the admin can read a conversation. If another admin covers for them, you see who.",
    label: "Write to an admin",
  },
};

/** The conversation with a person that is the reader's own; they may cover another one with them. */
function isOwnWith(conversation: Conversation, partnerId: string | undefined): boolean {
  return conversation.otherUser.id === partnerId && !isCovering(conversation);
}

/** The same before and after the first message has begun the conversation. */
function keyOf(partner: ChatPartner, conversation: Conversation | null): string {
  const isCover = conversation !== null && isCovering(conversation);
  return threadKeyOf({ partnerId: partner.id, conversationId: conversation?.id ?? null, isCover });
}

type OpenConversation = { partner: ChatPartner | null; conversation: Conversation | null; isPending: boolean };

/** The person and conversation that the address names. A conversation begins with its first message; until then it is null. */
function useOpenConversation(
  { conversationId, to }: ChatAddress,
  list: readonly Conversation[] | undefined,
): OpenConversation {
  const { id: ownId } = useMe();
  const unsent = useUnsent(messageOutbox, ownId);
  const isNew = conversationId === undefined && to !== undefined;
  const recipients = useRecipients({ enabled: isNew });
  const person = isNew ? recipients.data?.find(({ id }) => id === to) : undefined;
  // A person who can no longer be messaged stays on screen, with the draft.
  const [last, setLast] = useState(person);
  if (person && person !== last) setLast(person);
  const conversation =
    list?.find((one) => (conversationId === undefined ? isOwnWith(one, to) : one.id === conversationId)) ?? null;
  if (conversation) return { partner: conversation.otherUser, conversation, isPending: false };
  const partner = person ?? (isNew && last?.id === to ? last : undefined);
  const isPending = list === undefined || (isNew && recipients.isPending);
  if (partner && list) return { partner: { ...partner, isActive: partner === person }, conversation: null, isPending };
  const hasText =
    isNew &&
    (unsent.some((one) => threadKeyOf(one) === to) || !isEmptyDraft(readMessageDraft({ ownId, threadKey: to })));
  return { partner: hasText && !isPending ? { ...UNKNOWN_PERSON, id: to } : null, conversation: null, isPending };
}

/** Stands for a person who can no longer be found, above the draft for them. */
const UNKNOWN_PERSON: Omit<ChatPartner, "id"> = {
  name: PROJECT_MESSAGES.unknownUser,
  accountType: "user",
  profileImgLink: null,
  isActive: false,
};

/** Replaces `?to=` by the conversation with that person as soon as it exists. */
function useStartedConversation(
  { conversationId, to }: ChatAddress,
  list: readonly Conversation[] | undefined,
  openChat: ReturnType<typeof useOpenChat>,
) {
  const started =
    conversationId === undefined && to !== undefined ? list?.find((one) => isOwnWith(one, to))?.id : undefined;
  useEffect(() => {
    if (started !== undefined) openChat({ conversationId: started }, { replace: true });
  }, [started, openChat]);
}

/** "Not sent" is mostly shown while the network is down, when the code of toasts cannot be fetched. */
function usePreloadedToasts(): void {
  useEffect(() => void import("@/ui/toaster").catch(() => {}), []);
}

/** On a phone, the list comes back with the focus on the conversation that was open. */
function useFocusInList({ conversationId: openId, to }: ChatAddress): void {
  const before = useRef(openId);
  useEffect(() => {
    // In place of it somebody else may be written to, whose field has the focus.
    if (openId === undefined && to === undefined && before.current !== undefined) {
      document.getElementById(conversationLinkId(before.current))?.focus();
    }
    before.current = openId;
  }, [openId, to]);
}

type NoConversationProps = {
  back: RefObject<HTMLButtonElement | null>;
  isPending: boolean;
  isNew: boolean;
  onLeave: () => void;
  children: ReactNode;
};

/** The address names a conversation or a person that the reader cannot open. */
function NoConversation({ back, isPending, isNew, onLeave, children }: NoConversationProps) {
  return (
    <Delayed pending={isPending} label="Loading the conversation" skeleton={null}>
      {() => (
        <>
          <EmptyState
            icon={UserX}
            message={isNew ? CHAT_MESSAGES.recipientNotFound : CHAT_MESSAGES.notFound}
            className="my-auto"
            action={
              <button
                ref={back}
                type="button"
                onClick={onLeave}
                className="font-medium text-brand-text underline underline-offset-3"
              >
                All conversations
              </button>
            }
          />
          {children}
        </>
      )}
    </Delayed>
  );
}
