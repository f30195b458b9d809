import type { AccountType } from "@db/enums";
import { MAX_WAITING } from "@server/contract/messages/overview";
import type { WaitingItem } from "@server/contract/views";
import { Link } from "@tanstack/react-router";
import { Lightbulb, MessageCircle, Signature } from "lucide-react";
import { type Ref, useRef, useState } from "react";
import { useMe } from "@/features/auth/use-auth";
import { conversationHref } from "@/features/chat/conversation-link";
import { FIRST_WAITING } from "@/features/overview/use-waiting";
import { describeWait, describeYoung, isPastDay } from "@/features/turns/turn-text";
import { useAtMinute } from "@/lib/use-at-minute";
import { useNextFocus } from "@/lib/use-next-focus";
import { cardStyle } from "@/ui/card-style";

/** The oldest first; a line stands above what has waited for less than a business day. Late is above it what was promised. */
export function WaitingList({ items }: { items: readonly WaitingItem[] }) {
  const [isWhole, setWhole] = useState(false);
  const older = useOlderCount(items);
  const shown = isWhole ? items : items.slice(0, FIRST_WAITING);
  const line = describeYoung(shown.slice(older));
  const firstMore = useRef<HTMLAnchorElement>(null);
  const hasMore = items.length > shown.length;
  useNextFocus(hasMore, firstMore);
  const rows = (some: readonly WaitingItem[]) =>
    some.map((item) => (
      <WaitingRow key={keyOf(item)} ref={item === items[FIRST_WAITING] ? firstMore : undefined} item={item} />
    ));
  return (
    <div className={`${cardStyle()} py-3`}>
      <h2 className="text-h3">Waiting for us</h2>
      <ul className="mt-1 flex flex-col">
        {rows(shown.slice(0, older))}
        {line !== null && (
          <li className="flex h-6 items-center gap-2 text-ink2 text-meta after:h-px after:flex-1 after:bg-line">
            {line}
          </li>
        )}
        {rows(shown.slice(older))}
      </ul>
      {hasMore && (
        <button
          type="button"
          className="h-11 font-medium text-brand-text text-dense underline underline-offset-3"
          onClick={() => setWhole(true)}
        >
          {items.length < MAX_WAITING ? `Show all ${items.length}` : `Show the oldest ${MAX_WAITING}`}
        </button>
      )}
    </div>
  );
}

/** How many wait for longer than a business day; they are the first. */
function useOlderCount(items: readonly WaitingItem[]): number {
  const count = useAtMinute((now) => String(items.filter((item) => isPastDay(item, now)).length));
  return Number(count);
}

function WaitingRow({ ref, item }: { ref: Ref<HTMLAnchorElement> | undefined; item: WaitingItem }) {
  const { accountType } = useMe();
  const { title, client } = item;
  const age = useAtMinute((now) => describeWait(item, now));
  const isOwedLate = useAtMinute((now) => item.answerBy !== null && isPastDay(item, now));
  const { Icon, label, target } = subjectMeta(item, accountType);
  return (
    <li>
      <Link
        ref={ref}
        {...target}
        className="-mx-2 flex h-11 items-center gap-3 rounded-control px-2 transition-colors duration-90 ease-out hover:bg-hover"
      >
        <Icon size={16} className="shrink-0 text-ink3" aria-label={label} />
        <bdi className="max-w-[40%] shrink-0 truncate font-medium">{client.name}</bdi>
        <bdi className="min-w-0 flex-1 truncate text-ink2">{title}</bdi>
        <span className={isOwedLate ? "shrink-0 text-dense text-orange" : "shrink-0 text-dense text-ink2"}>{age}</span>
      </Link>
    </li>
  );
}

/** What it is, and where it is answered. */
function subjectMeta({ subject }: WaitingItem, accountType: AccountType) {
  if ("conversationId" in subject)
    return {
      Icon: MessageCircle,
      label: "Message",
      target: { to: conversationHref(accountType, subject.conversationId) },
    };
  if ("signOffId" in subject) return { Icon: Signature, label: "Sign-off", target: signOffTarget(subject.signOffId) };
  const to = accountType === "admin" ? ("/admin/requests" as const) : ("/dashboard/requests" as const);
  return { Icon: Lightbulb, label: "Request", target: { to, search: { request: subject.requestId } } };
}

function signOffTarget(signOffId: string) {
  return { to: "/sign-offs/$signOffId" as const, params: { signOffId } };
}

function keyOf({ subject }: WaitingItem): string {
  return Object.values(subject).join();
}
