import type { Visibility } from "@db/enums";
import { Eye, Lock, type LucideIcon } from "lucide-react";
import { useId } from "react";
import { cn } from "@/lib/cn";

export const VISIBILITY_LABELS: Record<Visibility, string> = { team: "Team", client: "Client can see" };
export const VISIBILITY_ICONS: Record<Visibility, LucideIcon> = { team: Lock, client: Eye };

const TINTS: Record<Visibility, string> = {
  team: "has-checked:border-line-strong has-checked:bg-grey-soft has-checked:text-grey",
  client: "has-checked:border-orange has-checked:bg-orange-soft has-checked:text-orange",
};

type VisibilitySwitchProps = {
  value: Visibility;
  onChange: (value: Visibility) => void;
  className?: string | undefined;
};

/** Who sees what is about to be sent: in words, with an icon and a colour each, so that nobody sends to the wrong side. */
export function VisibilitySwitch({ value, onChange, className }: VisibilitySwitchProps) {
  const name = useId();
  return (
    <fieldset className={cn("flex min-w-0 flex-wrap gap-1", className)}>
      <legend className="sr-only">Who can see it</legend>
      {(["team", "client"] as const).map((visibility) => {
        const Icon = VISIBILITY_ICONS[visibility];
        return (
          <label
            key={visibility}
            className={cn(
              "relative inline-flex h-11 items-center gap-1.5 whitespace-nowrap rounded-control border border-transparent px-2.5 text-dense text-ink2 pointer-fine:h-8",
              "hover:bg-hover has-focus-visible:outline-2 has-focus-visible:outline-ring has-focus-visible:outline-offset-2",
              TINTS[visibility],
            )}
          >
            <input
              type="radio"
              name={name}
              value={visibility}
              checked={value === visibility}
              onChange={() => onChange(visibility)}
              className="absolute inset-0 opacity-0"
            />
            <Icon size={14} />
            {VISIBILITY_LABELS[visibility]}
          </label>
        );
      })}
    </fieldset>
  );
}
