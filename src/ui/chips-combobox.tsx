import { Combobox as Base, type ComboboxRootChangeEventDetails } from "@base-ui/react/combobox";
import { Check, Plus, X } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import { cn } from "@/lib/cn";
import { announce } from "./announce";
import { Avatar } from "./avatar";
import { useFieldControl } from "./field-context";
import { inputStyle } from "./input-style";
import { useSteady } from "./steady";
import { TONE_DOT, TONE_FILL, type Tone } from "./tone";

/** One choice of a `ChipsCombobox`. */
export type ChipOption = {
  value: string;
  label: string;
  /** A second line in the list, such as a role. */
  description?: string | undefined;
  /** Image address; without it initials are drawn. */
  avatar?: string | null | undefined;
  /** In place of an avatar: the colour of what is no person. */
  tone?: Tone | undefined;
};

type ChipsComboboxProps = {
  options: readonly ChipOption[];
  /** Values of the chosen ones, in order, without the fixed. A value that has no option is shown as `unknownLabel`. */
  value: readonly string[];
  onValueChange: (value: string[]) => void;
  /** Chips that always stand first and cannot be removed. */
  fixed?: readonly ChipOption[] | undefined;
  placeholder?: string | undefined;
  emptyLabel?: string | undefined;
  unknownLabel?: string | undefined;
  disabled?: boolean | undefined;
  onBlur?: (() => void) | undefined;
  /** Offers to make what was typed into an option, where none is called so. */
  onCreate?: ((label: string) => void) | undefined;
};

const NONE: readonly ChipOption[] = [];
/** The value of the option that makes a new one. */
const NEW = "";

/**
 * Many out of a list, as chips: type to filter, Enter adds, Backspace in the empty input removes the last, Left and Right
 * walk the chips. Additions and removals are announced. Heavy (floating-ui): import it from a lazy chunk.
 */
export function ChipsCombobox({
  options: latest,
  value,
  onValueChange,
  fixed = NONE,
  placeholder = "Add",
  emptyLabel = "No matches",
  unknownLabel: latestUnknown = "Unknown",
  disabled = false,
  onBlur,
  onCreate,
}: ChipsComboboxProps) {
  const box = useRef<HTMLDivElement>(null);
  const control = useFieldControl({});
  // A name is wider or narrower than what stands for it while it loads: chips go to other lines, and what is below them moves.
  const { options, unknownLabel } = useSteady({ options: latest, unknownLabel: latestUnknown });
  const [typed, setTyped] = useState("");
  const label = typed.trim();
  const isNew = onCreate !== undefined && label !== "" && !options.some((option) => isCalled(option, label));
  const offered = useMemo(() => {
    const taken = new Set(fixed.map((option) => option.value));
    const others = options.filter((option) => !taken.has(option.value));
    return isNew ? [...others, { value: NEW, label }] : others;
  }, [options, fixed, isNew, label]);
  const chosen = useMemo(() => {
    const byValue = new Map(options.map((option) => [option.value, option]));
    return value.map((one) => byValue.get(one) ?? { value: one, label: unknownLabel });
  }, [options, value, unknownLabel]);

  function change(next: ChipOption[], details: ComboboxRootChangeEventDetails): void {
    // Base UI lets Escape empty a closed combobox; here it belongs to the dialog around.
    if (details.reason === "escape-key") {
      details.cancel();
      details.allowPropagation();
      return;
    }
    if (next.some((option) => option.value === NEW)) {
      onCreate?.(label);
      return;
    }
    for (const option of next) if (!value.includes(option.value)) announce(`${option.label} added`);
    for (const option of chosen)
      if (!next.some((one) => one.value === option.value)) announce(`${option.label} removed`);
    onValueChange(next.map((option) => option.value));
  }
  return (
    <Base.Root
      multiple
      items={offered}
      value={chosen}
      onValueChange={change}
      isItemEqualToValue={(one, other) => one.value === other.value}
      inputValue={typed}
      onInputValueChange={setTyped}
      autoHighlight
      disabled={disabled}
    >
      <Base.Chips
        ref={box}
        data-control=""
        // Empty, it is no toolbar, and nothing to name.
        aria-labelledby={control.id && value.length > 0 ? `${control.id}-label` : undefined}
        data-invalid={control["aria-invalid"]}
        className={cn(
          inputStyle,
          "flex min-h-11 flex-wrap items-center gap-1.5 py-1.5 pointer-fine:min-h-[38px] pointer-fine:py-1",
          "focus-within:outline-2 focus-within:outline-ring focus-within:-outline-offset-1 data-invalid:border-red",
        )}
      >
        {fixed.map((option) => (
          <span key={option.value} className={cn(chipStyle, PLAIN, "pe-2.5")}>
            <Mark option={option} />
            <span className="truncate">{option.label}</span>
          </span>
        ))}
        {chosen.map((option) => (
          <Base.Chip
            key={option.value}
            className={cn(
              chipStyle,
              option.tone ? TONE_FILL[option.tone] : PLAIN,
              "pe-0.5 data-highlighted:bg-hover focus:outline-2 focus:outline-ring",
            )}
          >
            <Mark option={option} />
            <span className="truncate">{option.label}</span>
            <Base.ChipRemove
              aria-label={`Remove ${option.label}`}
              className="inline-grid size-6 shrink-0 place-items-center rounded-check text-ink2 hover:bg-hover hover:text-ink"
            >
              <X size={14} />
            </Base.ChipRemove>
          </Base.Chip>
        ))}
        <Base.Input
          {...control}
          placeholder={placeholder}
          onBlur={onBlur}
          className="h-7 min-w-16 flex-1 bg-transparent px-0.5 text-reading outline-none sm:text-body"
        />
      </Base.Chips>
      <Base.Portal>
        <Base.Positioner anchor={box} sideOffset={6} collisionPadding={8} className="z-60 outline-none">
          <Base.Popup
            className={cn(
              "flex max-h-[min(320px,var(--available-height))] w-(--anchor-width) min-w-60 flex-col overflow-hidden rounded-[12px] bg-raised text-ink shadow-2 outline-none",
              "transition-opacity duration-140 ease-out data-ending-style:opacity-0 data-starting-style:opacity-0",
            )}
          >
            <Base.Empty>
              <p className="px-3.5 py-3 text-body text-ink2 empty:hidden">{emptyLabel}</p>
            </Base.Empty>
            <Base.List className="min-h-0 overflow-y-auto overscroll-contain p-1 data-empty:hidden">
              {(option: ChipOption) => (
                <Base.Item
                  key={option.value}
                  value={option}
                  className="flex min-h-11 cursor-pointer select-none items-center gap-2.5 rounded-control px-2.5 py-1.5 text-body outline-none data-highlighted:bg-hover"
                >
                  {option.value === NEW ? (
                    <Plus size={16} className="mx-1 shrink-0 text-ink2" />
                  ) : (
                    <Mark option={option} isLarge />
                  )}
                  <span className="min-w-0 flex-1">
                    <span className="block truncate">
                      {option.value === NEW ? `Create “${option.label}”` : option.label}
                    </span>
                    {option.description && (
                      <span className="block truncate text-ink2 text-meta">{option.description}</span>
                    )}
                  </span>
                  <Base.ItemIndicator>
                    <Check size={16} />
                  </Base.ItemIndicator>
                </Base.Item>
              )}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/** The avatar of a person, or the colour of what is none. */
function Mark({ option: { label, avatar, tone }, isLarge = false }: { option: ChipOption; isLarge?: boolean }) {
  if (tone)
    return <span aria-hidden="true" className={cn("ms-1.5 me-0.5 size-2.5 shrink-0 rounded-pill", TONE_DOT[tone])} />;
  if (isLarge) return <Avatar name={label} src={avatar} />;
  return <Avatar name={label} src={avatar} size={20} className="bg-raised" />;
}

function isCalled(option: ChipOption, label: string): boolean {
  return option.label.toLocaleLowerCase("en-GB") === label.toLocaleLowerCase("en-GB");
}

const PLAIN = "bg-grey-soft text-ink";
const chipStyle =
  "inline-flex h-7 min-w-0 max-w-full items-center gap-1.5 rounded-[9px] border border-transparent ps-1 text-dense outline-none";
