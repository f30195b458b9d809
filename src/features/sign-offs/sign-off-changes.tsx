import { describeChange } from "@server/contract/sign-off-text";
import type { SignOffChange } from "@server/contract/views";
import { cn } from "@/lib/cn";
import { FORMAT } from "./sign-off-text";

type SignOffChangesProps = { changes: readonly SignOffChange[]; label: string; className?: string | undefined };

/** What is another than in a record, one line each. */
export function SignOffChanges({ changes, label, className }: SignOffChangesProps) {
  return (
    <ul aria-label={label} className={cn("grid list-disc gap-1 ps-5", className)}>
      {changes.map((change) => (
        <li key={`${change.kind} ${change.id ?? change.name}`} dir="auto" className="[overflow-wrap:anywhere]">
          {describeChange(change, FORMAT)}
        </li>
      ))}
    </ul>
  );
}
