import type { AccountType } from "@db/enums";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { type ComponentProps, useCallback } from "react";
import { onTop } from "@/lib/layers";
import { id, optional, type RawSearch } from "@/lib/search";

/** What an address says about the messages: the open conversation, or the person whom one begins to write to. */
export interface ChatAddress {
  conversationId?: string | undefined;
  to?: string | undefined;
}

/** `?to=` is whom one begins to write to; the open conversation is part of the path. */
export function readMessagesSearch({ to }: RawSearch) {
  return optional({ to: id(to) });
}

/** For a route's `params.parse`: anything but an id is no conversation. */
export function readMessagesParams({ conversationId }: { conversationId?: string | undefined }) {
  return { conversationId: id(conversationId) };
}

/** The address of a conversation on the page where people of that type have their messages. */
export function conversationHref(accountType: AccountType, conversationId: string): string {
  const shell = { admin: "/admin", client: "/client", user: "/dashboard" }[accountType];
  return `${shell}/messages/${conversationId}`;
}

/** What the address of the page on screen says about the messages. */
export function useChatAddress(): ChatAddress {
  const conversationId = useParams({ strict: false, select: (params) => params.conversationId });
  const to = useSearch({ strict: false, select: (search) => search.to });
  return { conversationId, to };
}

/** Goes elsewhere in the messages of the page on screen. */
export function useOpenChat(): (address: ChatAddress, how?: { replace: boolean }) => void {
  const navigate = useNavigate();
  return useCallback(
    ({ conversationId, to }, { replace } = { replace: false }) =>
      void navigate({
        to: ".",
        params: { conversationId },
        search: (kept: object) => ({ ...kept, to }),
        state: replace || onTop,
        replace,
        resetScroll: false,
      }),
    [navigate],
  );
}

type ConversationLinkProps = Pick<ComponentProps<"a">, "id" | "aria-current" | "className" | "onClick" | "children"> & {
  conversationId: string;
};

/** A link to a conversation of the page on screen. */
export function ConversationLink({ conversationId, ...rest }: ConversationLinkProps) {
  return (
    <Link
      {...rest}
      to="."
      params={{ conversationId }}
      search={(kept: object) => ({ ...kept, to: undefined })}
      resetScroll={false}
    />
  );
}
