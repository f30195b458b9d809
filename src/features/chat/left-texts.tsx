import { type RefObject, useState } from "react";
import { useUnsent } from "@/lib/outbox";
import { useNextFocus } from "@/lib/use-next-focus";
import { Button } from "@/ui/button";
import { type MessageDraft, readMessageDraft, writeMessageDraft } from "./message-draft";
import { messageOutbox } from "./outbox";
import { threadKeyOf } from "./thread-people";

const NOTHING: MessageDraft = { text: "", files: [] };

type LeftTextsProps = { ownId: string; conversationId: string; nextFocus: RefObject<HTMLElement | null> };

/** What somebody wrote and did not send in a conversation that they cover no more: to be copied, or deleted. */
export function LeftTexts({ ownId, conversationId, nextFocus }: LeftTextsProps) {
  const owner = { ownId, threadKey: conversationId };
  const [draft, setDraft] = useState(() => readMessageDraft(owner).text);
  const unsent = useUnsent(messageOutbox, ownId).filter((one) => threadKeyOf(one) === conversationId);
  const texts = [...unsent.map(({ text }) => text), ...(draft === "" ? [] : [draft])];
  useNextFocus(texts.length > 0, nextFocus);
  if (texts.length === 0) return null;
  function drop(): void {
    for (const { clientMessageId } of unsent) messageOutbox.remove(ownId, clientMessageId);
    writeMessageDraft(owner, NOTHING);
    setDraft("");
  }
  return (
    <section aria-label="Not sent" className="mx-auto w-full max-w-[480px] px-4 pb-6">
      <p className="pb-2 text-dense text-ink2">You wrote this here and did not send it:</p>
      <p
        dir="auto"
        className="whitespace-pre-wrap rounded-card border border-line bg-raised px-3.5 py-2.5 [overflow-wrap:anywhere]"
      >
        {texts.join("\n\n")}
      </p>
      <div className="flex justify-end pt-2">
        <Button size="sm" variant="danger" onClick={drop}>
          Delete
        </Button>
      </div>
    </section>
  );
}
