import { createFileRoute } from "@tanstack/react-router";
import { readMessagesParams, readMessagesSearch } from "@/features/chat/messages-address";
import { MessagesPage } from "@/features/chat/messages-page";

export const Route = createFileRoute("/_app/admin/messages/{-$conversationId}")({
  params: { parse: readMessagesParams },
  validateSearch: readMessagesSearch,
  component: MessagesPage,
});
