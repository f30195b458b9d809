import { createFileRoute } from "@tanstack/react-router";
import { readMessagesParams, readMessagesSearch } from "@/features/chat/conversation-link";
import { MessagesPage } from "@/features/chat/messages-page";

export const Route = createFileRoute("/_app/client/messages/{-$conversationId}")({
  params: { parse: readMessagesParams },
  validateSearch: readMessagesSearch,
  component: MessagesPage,
});
