import { type RefObject, useSyncExternalStore } from "react";
import { cn } from "@/lib/cn";
import { pageHeading } from "@/lib/page-focus";
import { watchDraft } from "@/lib/session-draft";
import { deleteDraft, typedIn } from "@/lib/text-draft";
import { useNextFocus } from "@/lib/use-next-focus";
import { Button } from "./button";
import { Field } from "./field";
import { TextArea } from "./text-area";

/** Identifies this piece where it watches; what it deletes concerns it as well. */
const WATCHER = {};

type UnsentTextProps = {
  /** Under which this tab keeps what was typed. */
  draftKeys: readonly string[];
  /** Why it can't be sent any more. */
  hint: string;
  /** Takes the focus when it is discarded; the page's heading by default. */
  nextFocus?: RefObject<HTMLElement | null> | undefined;
  className?: string | undefined;
};

/** What was typed into forms that are gone: to read, to copy and to discard. Nothing where their drafts are empty. */
export function UnsentText({ draftKeys, hint, nextFocus, className }: UnsentTextProps) {
  const text = useSyncExternalStore(
    (onChange) => {
      const stops = draftKeys.map((key) => watchDraft(key, { writer: WATCHER, onChange }));
      return () => {
        for (const stop of stops) stop();
      };
    },
    () => draftKeys.flatMap(typedIn).join("\n\n"),
    () => "",
  );
  useNextFocus(text !== "", nextFocus ?? pageHeading);
  if (text === "") return null;
  return (
    <div className={cn("grid gap-2.5", className)}>
      <Field label="What you typed is still here" hint={hint}>
        <TextArea readOnly rows={4} dir="auto" value={text} onFocus={({ target }) => target.select()} />
      </Field>
      <Button variant="quiet" className="justify-self-end" onClick={() => draftKeys.forEach(deleteDraft)}>
        Discard
      </Button>
    </div>
  );
}
