import type { CreatedApiKey } from "@server/contract/views";
import { useEffect, useRef } from "react";
import { Button } from "@/ui/button";
import { InlineAlert } from "@/ui/inline-alert";
import { toast } from "@/ui/toast";

/** Shows the key, the only time it can be shown. */
export function NewApiKey({ made: { name, key }, onDone }: { made: CreatedApiKey; onDone: () => void }) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(key);
      toast.success("API key copied");
    } catch {
      field.current?.select();
      toast.error("The key could not be copied.", { description: "It is selected. Copy it with your keyboard." });
    }
  }
  return (
    <div className="grid gap-3 rounded-control bg-sunken p-4">
      <InlineAlert tone="green">Copy the key now. You won't see it again.</InlineAlert>
      <label className="grid gap-1.5">
        <span className="font-medium text-dense">
          API key <bdi>{name}</bdi>
        </span>
        <input
          ref={field}
          readOnly
          value={key}
          spellCheck={false}
          onFocus={({ target }) => target.select()}
          className="h-11 w-full min-w-0 rounded-control border border-line-strong bg-surface px-3 font-mono text-reading sm:text-dense"
        />
      </label>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" onClick={() => void copy()} className="max-sm:flex-1">
          Copy
        </Button>
        <Button variant="quiet" onClick={onDone}>
          Done
        </Button>
      </div>
    </div>
  );
}
