import { GENERAL_MESSAGES } from "@server/contract/messages/general";
import { Check, CircleAlert, History } from "lucide-react";
import { useEffect, useLayoutEffect, useRef } from "react";
import { cn } from "@/lib/cn";
import { announce } from "@/ui/announce";
import { Button } from "@/ui/button";
import { Steady } from "@/ui/steady";
import { TONE_FILL } from "@/ui/tone";
import type { FieldSave } from "./use-field-save";

/** "Saved" beside a field's label, for two seconds. Its place is reserved. */
export function SavedMark({
  saving,
  className,
}: {
  saving: { state: FieldSave<unknown>["state"] };
  className?: string;
}) {
  const isShown = saving.state === "saved";
  return (
    <span
      aria-hidden="true"
      className={cn(
        "inline-flex items-center gap-1 text-green text-meta transition-opacity duration-200 ease-out",
        !isShown && "opacity-0",
        className,
      )}
    >
      <Check size={14} />
      Saved
    </span>
  );
}

type FieldTroubleProps<Value> = {
  label: string;
  saving: FieldSave<Value>;
  /** A value as text. */
  describe: (value: Value) => string;
  live: Value;
};

/** Under a field of choices: it was not saved, or somebody else has changed it meanwhile. */
export function FieldTrouble<Value>({ label, saving, describe, live }: FieldTroubleProps<Value>) {
  const { state, message, mine, retry, dismiss } = saving;
  return (
    <Steady>
      {state === "refused" && <NotSaved label={label} message={message} onRetry={retry} />}
      {state === "conflict" && mine !== undefined && (
        <FieldConflict label={label} theirs={describe(live)} yours={describe(mine)} onInsist={retry} onTake={dismiss} />
      )}
    </Steady>
  );
}

type NotSavedProps = { label: string; message: string | null; onRetry: () => void; retryLabel?: string | undefined };

/** What was chosen or typed is not saved. Said politely and in place. */
export function NotSaved({ label, message, onRetry, retryLabel = "Retry" }: NotSavedProps) {
  const text = `${label} not saved. ${message ?? ""}`;
  useEffect(() => announce(text), [text]);
  const box = useFieldFocus();
  return (
    <div ref={box} className="mt-1.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-dense text-red">
      <p className="flex min-w-0 items-start gap-1.5">
        <CircleAlert size={16} className="mt-px shrink-0" />
        <span className="min-w-0">Not saved. {message}</span>
      </p>
      <Button size="sm" aria-label={`${retryLabel}, ${label}`} onClick={onRetry}>
        {retryLabel}
      </Button>
    </div>
  );
}

type FieldConflictProps = {
  label: string;
  theirs: string;
  /** Left out where it stands in the field itself. */
  yours?: string | undefined;
  onInsist: () => void;
  onTake: () => void;
};

/** Two people have changed one field: which of the two stands. */
export function FieldConflict({ label, theirs, yours, onInsist, onTake }: FieldConflictProps) {
  const heading = GENERAL_MESSAGES.changedMeanwhile(label);
  useEffect(() => announce(heading), [heading]);
  const box = useFieldFocus();
  return (
    <div ref={box} className={cn("mt-2 grid gap-2 rounded-control px-3 py-2.5 text-dense", TONE_FILL.orange)}>
      <p className="flex items-start gap-2 font-medium">
        <History size={16} className="mt-px shrink-0" />
        {heading}
      </p>
      <p className="max-h-40 overflow-y-auto whitespace-pre-line text-ink [overflow-wrap:anywhere]" dir="auto">
        <span className="text-ink2">Theirs:</span> {theirs}
      </p>
      {yours !== undefined && (
        <p className="text-ink [overflow-wrap:anywhere]">
          <span className="text-ink2">Yours:</span> {yours}
        </p>
      )}
      <p className="flex flex-wrap gap-2">
        <Button size="sm" onClick={onInsist}>
          Save mine over it
        </Button>
        <Button size="sm" onClick={onTake}>
          Load their version
        </Button>
      </p>
    </div>
  );
}

/** Its buttons go with it: the control of the field that they are about, inside `data-field`, takes the focus from them. */
function useFieldFocus() {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const shown = box.current;
    return () => {
      if (!shown?.contains(document.activeElement)) return;
      shown.closest("[data-field]")?.querySelector<HTMLElement>("select, input, textarea")?.focus();
    };
  }, []);
  return box;
}
