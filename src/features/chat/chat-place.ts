import type { AccountType } from "@db/enums";
import type { ComponentType, ReactNode } from "react";

/** What the address says about the messages: the open conversation, or the person whom one begins to write to. */
export interface ChatPlace {
  c?: string | undefined;
  to?: string | undefined;
}

/** The address of a conversation on the page where people of that type have their messages. */
export function conversationHref(accountType: AccountType, conversationId: string): string {
  if (accountType === "admin") return `/admin?section=messages&c=${conversationId}`;
  return `${accountType === "client" ? "/client?section=messages" : "/dashboard?view=messages"}&c=${conversationId}`;
}

/** A link to a place in the messages; the page that owns the address makes it. */
export type ToChatPlace = ComponentType<ToChatPlaceProps>;
export interface ToChatPlaceProps {
  place: ChatPlace;
  id: string;
  "aria-current": "page" | undefined;
  className: string;
  onClick: () => void;
  children: ReactNode;
}
