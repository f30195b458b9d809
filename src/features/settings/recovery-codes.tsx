import { useRef } from "react";
import { download } from "@/lib/download";
import { Button } from "@/ui/button";
import { InlineAlert } from "@/ui/inline-alert";
import { toast } from "@/ui/toast";

/** Shows recovery codes, the only time they can be shown. */
export function RecoveryCodes({ codes }: { codes: string[] }) {
  const list = useRef<HTMLUListElement>(null);
  const text = `${codes.join("\n")}\n`;

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      toast.success("Recovery codes copied");
    } catch {
      if (list.current) window.getSelection()?.selectAllChildren(list.current);
      toast.error("The codes could not be copied.", {
        description: "They are selected. Copy them with your keyboard.",
      });
    }
  }
  return (
    <div className="grid gap-3 rounded-control bg-sunken p-4">
      <InlineAlert tone="orange">
        Save these recovery codes now. You won't see them again. Each logs you in once if you lose your phone.
      </InlineAlert>
      <ul ref={list} aria-label="Recovery codes" className="grid gap-x-6 gap-y-1 font-mono text-dense sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => void copy()} className="max-sm:flex-1">
          Copy codes
        </Button>
        <Button
          onClick={() => download(new Blob([text], { type: "text/plain" }), "sangam-recovery-codes.txt")}
          className="max-sm:flex-1"
        >
          Download codes
        </Button>
      </div>
    </div>
  );
}
