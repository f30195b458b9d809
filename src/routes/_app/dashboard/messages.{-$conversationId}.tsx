import { createFileRoute } from "@tanstack/react-router";
import { readMessagesSearch } from "@/features/chat/chat-place";
import { MessagesPage } from "@/features/chat/messages-page";
import { requireStaff } from "@/lib/guards";

export const Route = createFileRoute("/_app/dashboard/messages/{-$conversationId}")({
  validateSearch: readMessagesSearch,
  beforeLoad: requireStaff,
  component: MessagesPage,
});
