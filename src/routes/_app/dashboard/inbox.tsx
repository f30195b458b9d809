import { createFileRoute } from "@tanstack/react-router";
import { InboxPage } from "@/features/notifications/inbox-page";

export const Route = createFileRoute("/_app/dashboard/inbox")({ component: InboxPage });
