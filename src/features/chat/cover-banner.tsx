import type { Conversation } from "@server/contract/views";
import { UserRoundCheck } from "lucide-react";
import type { RefObject } from "react";
import { useMe } from "@/features/auth/use-auth";
import { useNextFocus } from "@/lib/use-next-focus";
import { useToday } from "@/lib/use-today";
import { Button } from "@/ui/button";
import { formatUntil } from "./chat-format";
import { useTakeBack } from "./use-covers";

type CoverBannerProps = {
  /** Takes the focus once the conversation is taken back. */
  heading: RefObject<HTMLElement | null>;
  conversation: Conversation | null;
};

/** Who covers the conversation, and until when: to its admin, who may take it back, to whoever covers it, and to the other one. */
export function CoverBanner({ heading, conversation }: CoverBannerProps) {
  const takeBack = useTakeBack();
  const today = useToday();
  const me = useMe();
  const { cover, coversFor } = conversation ?? {};
  const until = cover?.until ? ` until ${formatUntil(cover.until, today)}` : "";
  const text = cover && (coversFor ? `You cover for ${coversFor.name}${until}` : `${cover.person.name} covers${until}`);
  const isOwn = conversation && cover && !coversFor && me.accountType === "admin";
  useNextFocus(!!isOwn, heading);
  return (
    <div
      className={
        text ? "flex min-h-11 flex-wrap items-center gap-x-3 border-line border-b bg-sunken px-4 sm:px-6" : "contents"
      }
    >
      <p role="status" className="flex min-w-0 flex-1 items-center gap-2 text-dense empty:hidden">
        {text && (
          <>
            <UserRoundCheck size={16} className="shrink-0 text-ink2" />
            <span className="min-w-0 py-2 [overflow-wrap:anywhere]">{text}</span>
          </>
        )}
      </p>
      {isOwn && (
        <Button
          size="sm"
          busy={takeBack.isPending}
          busyLabel="Taking back..."
          onClick={() => takeBack.mutate({ conversationId: conversation.id })}
        >
          Take back
        </Button>
      )}
    </div>
  );
}
