import type { AccountType } from "@db/enums";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { type ComponentProps, type MouseEvent, useCallback } from "react";
import { useLinkPress } from "@/lib/after-paint";
import { onTop } from "@/lib/layers";

/** What the address says about Messages: the open conversation, or the person to write a first message to. */
export interface ChatAddress {
  conversationId?: string | undefined;
  to?: string | undefined;
}

/** The address of a conversation, on the Messages page of that account type. */
export function conversationHref(accountType: AccountType, conversationId: string): string {
  const shell = { admin: "/admin", client: "/client", user: "/dashboard" }[accountType];
  return `${shell}/messages/${conversationId}`;
}

/** What the present address says about Messages. */
export function useChatAddress(): ChatAddress {
  const conversationId = useParams({ strict: false, select: (params) => params.conversationId });
  const to = useSearch({ strict: false, select: (search) => search.to });
  return { conversationId, to };
}

/** Navigates within Messages. */
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

/** A link to a conversation, within Messages. */
export function ConversationLink({ conversationId, ...rest }: ConversationLinkProps) {
  const navigate = useNavigate();
  const target = {
    to: ".",
    params: { conversationId },
    search: (kept: object) => ({ ...kept, to: undefined }),
    state: onTop,
    resetScroll: false,
  } as const;
  const press = useLinkPress(() => void navigate(target));
  function onClick(event: MouseEvent<HTMLAnchorElement>): void {
    rest.onClick?.(event);
    press.onClick(event);
  }
  return <Link {...rest} {...target} {...press} onClick={onClick} />;
}
