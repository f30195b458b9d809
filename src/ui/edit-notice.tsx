import { History } from "lucide-react";
import { useEffect } from "react";
import { cn } from "@/lib/cn";
import { announce } from "./announce";
import { Button } from "./button";
import { TONE_FILL } from "./tone";

type EditNoticeProps = {
  /** One sentence: what was changed while it was being edited. */
  message: string;
  /** Labels of the fields that were changed. */
  fields: readonly string[];
  onOpen: () => void;
  className?: string | undefined;
};

/** Somebody else has changed what is open in a form. Said politely; the focus and what is typed stay where they are. */
export function EditNotice({ message, fields, onOpen, className }: EditNoticeProps) {
  useEffect(() => announce(message), [message]);
  return (
    <div
      className={cn(
        "flex flex-wrap items-center gap-x-3 gap-y-2 rounded-control px-3 py-2.5 text-dense",
        TONE_FILL.orange,
        className,
      )}
    >
      <History size={18} className="shrink-0 self-start" />
      <p className="min-w-0 flex-1 basis-48 [overflow-wrap:anywhere]">
        {message} <span className="text-ink2">Changed: {fields.join(", ")}.</span>
      </p>
      <Button size="sm" onClick={onOpen}>
        See both versions
      </Button>
    </div>
  );
}
