import type { OrphanedConversation } from "@server/contract/views";
import { lazy, Suspense, useState } from "react";
import { useToday } from "@/lib/use-today";
import { Button } from "@/ui/button";
import { formatUntil } from "./chat-format";
import { useOrphanedConversations, useTakeBack } from "./use-covers";

const HandOver = lazy(() => import("./hand-over").then((module) => ({ default: module.HandOver })));

/** For admins: conversations of those who are no active admins any more, for somebody to cover. Nothing that was said in them. */
export function OrphanedConversations() {
  const { data: list = [] } = useOrphanedConversations();
  const [handed, setHanded] = useState<OrphanedConversation | null>(null);
  if (list.length === 0) return null;
  return (
    <section
      aria-labelledby="orphaned-heading"
      className="max-h-2/5 shrink-0 overflow-y-auto overscroll-contain border-line border-t px-4 pt-3 pb-4 sm:px-5"
    >
      <h2 id="orphaned-heading" className="font-sans font-semibold text-dense tracking-normal">
        Of inactive and former admins
      </h2>
      <ul className="mt-1 grid">
        {list.map((one) => (
          <OrphanedRow key={one.conversationId} conversation={one} onHandOver={() => setHanded(one)} />
        ))}
      </ul>
      {handed && (
        <Suspense>
          <HandOver
            handed={{
              conversationId: handed.conversationId,
              ownerId: handed.owner.id,
              partnerName: handed.otherUser.name,
            }}
            onClose={() => setHanded(null)}
          />
        </Suspense>
      )}
    </section>
  );
}

type OrphanedRowProps = { conversation: OrphanedConversation; onHandOver: () => void };

function OrphanedRow({ conversation: { conversationId, owner, otherUser, cover }, onHandOver }: OrphanedRowProps) {
  const today = useToday();
  const takeBack = useTakeBack();
  const until = cover?.until ? ` until ${formatUntil(cover.until, today)}` : "";
  return (
    <li className="flex min-h-12 items-center gap-3 py-1">
      <div className="min-w-0 flex-1">
        <p className="truncate">{otherUser.name}</p>
        <p className="text-ink2 text-meta [overflow-wrap:anywhere]">
          {cover ? `${cover.person.name} covers for ${owner.name}${until}` : `with ${owner.name}`}
        </p>
      </div>
      {cover ? (
        <Button
          size="sm"
          aria-label={`End cover of ${otherUser.name} with ${owner.name}`}
          busy={takeBack.isPending}
          busyLabel="Ending..."
          onClick={() => takeBack.mutate({ conversationId })}
        >
          End cover
        </Button>
      ) : (
        <Button size="sm" aria-label={`Hand over ${otherUser.name} with ${owner.name}`} onClick={onHandOver}>
          Hand over
        </Button>
      )}
    </li>
  );
}
