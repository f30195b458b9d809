import type { AccountType } from "@db/enums";
import type { WaitingItem } from "@server/contract/views";
import { Link } from "@tanstack/react-router";
import { Lightbulb, MessageCircle } from "lucide-react";
import { useState } from "react";
import { useMe } from "@/features/auth/use-auth";
import { conversationHref } from "@/features/chat/conversation-link";
import { describeAge, isLate } from "@/features/turns/turn-text";
import { useAtMinute } from "@/lib/use-at-minute";
import { cardStyle } from "@/ui/card-style";
import { FIRST_WAITING } from "./use-waiting";

/** The oldest first; a line stands where the promised business day ends, and above it what is late. */
export function WaitingList({ items }: { items: readonly WaitingItem[] }) {
  const [isWhole, setWhole] = useState(false);
  const late = useLateCount(items);
  const shown = isWhole ? items : items.slice(0, FIRST_WAITING);
  const rows = (some: readonly WaitingItem[]) => some.map((item) => <WaitingRow key={keyOf(item)} item={item} />);
  return (
    <div className={`${cardStyle()} py-3`}>
      <h2 className="text-h3">Waiting for us</h2>
      <ul className="mt-1 flex flex-col">
        {rows(shown.slice(0, late))}
        <li className="flex h-6 items-center gap-2 text-ink2 text-meta after:h-px after:flex-1 after:bg-line">
          Within the promised business day
        </li>
        {rows(shown.slice(late))}
      </ul>
      {items.length > shown.length && (
        <button
          type="button"
          className="h-11 font-medium text-brand-text text-dense underline underline-offset-3"
          onClick={() => setWhole(true)}
        >
          Show all {items.length}
        </button>
      )}
    </div>
  );
}

/** How many are past the promise; they are the first. */
function useLateCount(items: readonly WaitingItem[]): number {
  const count = useAtMinute((now) => String(items.filter((item) => isLate(item, now)).length));
  return Number(count);
}

function WaitingRow({ item }: { item: WaitingItem }) {
  const { accountType } = useMe();
  const { subject, title, client } = item;
  const age = useAtMinute((now) => describeAge(item, now));
  const isOld = useAtMinute((now) => isLate(item, now));
  const isMessage = "conversationId" in subject;
  const Icon = isMessage ? MessageCircle : Lightbulb;
  const target = isMessage
    ? { to: conversationHref(accountType, subject.conversationId) }
    : { to: requestsOf(accountType), search: { request: subject.requestId } };
  return (
    <li>
      <Link
        {...target}
        className="-mx-2 flex h-11 items-center gap-3 rounded-control px-2 transition-colors duration-90 ease-out hover:bg-hover"
      >
        <Icon size={16} className="shrink-0 text-ink3" aria-label={isMessage ? "Message" : "Request"} />
        <bdi className="max-w-[40%] shrink-0 truncate font-medium">{client.name}</bdi>
        <bdi className="min-w-0 flex-1 truncate text-ink2">{title}</bdi>
        <span className={isOld ? "shrink-0 text-dense text-orange" : "shrink-0 text-dense text-ink2"}>{age}</span>
      </Link>
    </li>
  );
}

function requestsOf(accountType: AccountType) {
  return accountType === "admin" ? "/admin/requests" : "/dashboard/requests";
}

function keyOf({ subject }: WaitingItem): string {
  return "conversationId" in subject ? subject.conversationId : subject.requestId;
}
