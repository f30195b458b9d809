import { type ReactNode, useId } from "react";
import { Checkbox } from "@/ui/checkbox";

type ChoiceProps = {
  label: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  /** Disabled; the description says why. */
  isDisabled?: boolean | undefined;
  /** What was chosen is being carried out. */
  isBusy?: boolean | undefined;
  /** What it does. */
  children: ReactNode;
};

/** A switch that takes effect at once. */
export function Choice({ label, isOn, onChange, isDisabled = false, isBusy = false, children }: ChoiceProps) {
  const hintId = useId();
  return (
    <div>
      <Checkbox
        label={<span className="font-medium">{label}</span>}
        checked={isOn}
        disabled={isDisabled}
        aria-busy={isBusy}
        className={isDisabled ? "opacity-60" : undefined}
        onChange={({ target }) => onChange(target.checked)}
        aria-describedby={hintId}
      />
      <p id={hintId} className="max-w-[66ch] ps-[30px] text-dense text-ink2">
        {children}
      </p>
    </div>
  );
}
