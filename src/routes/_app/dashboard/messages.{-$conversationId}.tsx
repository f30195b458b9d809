import { createFileRoute } from "@tanstack/react-router";
import { readMessagesParams, readMessagesSearch } from "@/features/chat/messages-address";
import { MessagesPage } from "@/features/chat/messages-page";
import { requireStaff } from "@/lib/guards";

export const Route = createFileRoute("/_app/dashboard/messages/{-$conversationId}")({
  params: { parse: readMessagesParams },
  validateSearch: readMessagesSearch,
  beforeLoad: requireStaff,
  component: MessagesPage,
});
