import { cn } from "@/lib/cn";
import { TONE_DOT, TONE_FILL } from "@/ui/tone";
import { useLabels } from "./use-labels";

/** Labels as coloured names; one that is not known yet is left out. */
export function LabelChips({ ids }: { ids: readonly string[] }) {
  const labels = useLabels().data ?? [];
  return (
    <ul className="flex flex-wrap gap-1.5">
      {ids
        .flatMap((id) => labels.find((label) => label.id === id) ?? [])
        .map(({ id, name, colour }) => (
          <li
            key={id}
            className={cn(
              "inline-flex min-h-6 max-w-full items-center gap-1.5 rounded-pill px-2 font-medium text-meta",
              TONE_FILL[colour],
            )}
          >
            <span aria-hidden="true" className={cn("size-2 shrink-0 rounded-pill", TONE_DOT[colour])} />
            <bdi className="min-w-0 truncate">{name}</bdi>
          </li>
        ))}
    </ul>
  );
}
