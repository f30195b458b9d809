import { type ReactNode, useEffect, useRef } from "react";
import { Button } from "./button";
import { InlineAlert } from "./inline-alert";
import { toast } from "./toast";

export type ShownOnceProps = {
  /** Says what to do with it now. */
  notice: string;
  label: ReactNode;
  /** What nothing shows again. */
  value: string;
  /** What the toast calls it: "API key". */
  name: string;
  onDone?: (() => void) | undefined;
};

/** A secret that has just been made, selected and ready to be copied: the only time it can be shown. */
export function ShownOnce({ notice, label, value, name, onDone }: ShownOnceProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(value);
      toast.success(`${name} copied`);
    } catch {
      field.current?.select();
      toast.error(`${name} could not be copied.`, { description: "It is selected. Copy it with your keyboard." });
    }
  }
  return (
    <div className="grid gap-3 rounded-control bg-sunken p-4">
      <InlineAlert tone="green">{notice}</InlineAlert>
      <label className="grid gap-1.5">
        <span className="font-medium text-dense">{label}</span>
        <input
          ref={field}
          readOnly
          value={value}
          spellCheck={false}
          onFocus={({ target }) => target.select()}
          className="h-11 w-full min-w-0 rounded-control border border-line-strong bg-surface px-3 font-mono text-reading sm:text-dense"
        />
      </label>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" onClick={() => void copy()} className="max-sm:flex-1">
          Copy
        </Button>
        {onDone && (
          <Button variant="quiet" onClick={onDone}>
            Done
          </Button>
        )}
      </div>
    </div>
  );
}
