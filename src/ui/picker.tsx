import { Combobox as Base } from "@base-ui/react/combobox";
import type { ReactElement } from "react";
import { cn } from "@/lib/cn";
import { Avatar } from "./avatar";
import { inputStyle } from "./input-style";
import { useSteady } from "./steady";

/** One choice of a `Picker`. */
type PickerOption = { value: string; label: string; avatar?: string | null | undefined };
export type PickerGroup = { label: string; options: PickerOption[] };

type PickerProps = {
  /** Names the search box and the list. */
  label: string;
  /** A button; its text is its name. */
  trigger: ReactElement<Record<string, unknown>>;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  groups: readonly PickerGroup[];
  /** Stands in place of "no matches" while there is nothing to choose from yet. */
  notice?: string | undefined;
  emptyLabel: string;
  /** Receives what is typed, for lists that are loaded in part. */
  onSearch?: ((text: string) => void) | undefined;
  /** Which edges of the button and the list lie above one another. */
  align?: "start" | "end" | undefined;
  /** Something was chosen; the focus goes where this puts it, else back to the trigger. */
  onChoose: (value: string) => void;
};

/** One out of grouped lists, with a search: for buttons that begin something. Heavy (floating-ui): import it from a lazy chunk. */
export function Picker({
  label,
  trigger,
  open,
  onOpenChange,
  groups: latestGroups,
  notice: latestNotice,
  emptyLabel: latestEmptyLabel,
  onSearch,
  align = "end",
  onChoose,
}: PickerProps) {
  // A choice is made where the pointer is released.
  const { groups, notice, emptyLabel } = useSteady({
    groups: latestGroups,
    notice: latestNotice,
    emptyLabel: latestEmptyLabel,
  });
  const items = groups.map(({ label: value, options }) => ({ value, items: options }));
  return (
    <Base.Root
      items={items}
      value={NOTHING}
      open={open}
      onOpenChange={onOpenChange}
      onInputValueChange={(text) => onSearch?.(text)}
      onValueChange={(option) => option && onChoose(option.value)}
      isItemEqualToValue={(one, other) => one.value === other.value}
      autoHighlight
    >
      {/* Base UI calls it a combobox; what it opens holds the combobox, and what one presses is a button. */}
      <Base.Trigger render={trigger} role="button" aria-haspopup="dialog" />
      <Base.Portal>
        <Base.Positioner align={align} sideOffset={6} collisionPadding={8} className="z-60 outline-none">
          <Base.Popup
            aria-label={label}
            className={cn(
              "flex max-h-[min(400px,var(--available-height))] w-[min(320px,var(--available-width))] flex-col overflow-hidden rounded-[12px] bg-raised text-ink shadow-2 outline-none",
              "transition-opacity duration-140 ease-out data-ending-style:opacity-0 data-starting-style:opacity-0",
            )}
          >
            <div className="p-2">
              <Base.Input aria-label={label} placeholder={label} className={cn(inputStyle, "h-11 pointer-fine:h-9")} />
            </div>
            <Base.Empty>
              <p className="px-3.5 pb-3 text-body text-ink2">{notice ?? emptyLabel}</p>
            </Base.Empty>
            <Base.List className="min-h-0 scroll-py-1 overflow-y-auto overscroll-contain px-1 pb-1 data-empty:hidden">
              {(group: { value: string; items: PickerOption[] }) => (
                <Base.Group key={group.value} items={group.items}>
                  <Base.GroupLabel className="px-2.5 pt-2 pb-1 font-medium text-ink2 text-meta">
                    {group.value}
                  </Base.GroupLabel>
                  <Base.Collection>
                    {(option: PickerOption) => (
                      <Base.Item
                        key={option.value}
                        value={option}
                        className="flex min-h-11 cursor-pointer select-none items-center gap-2.5 rounded-control px-2.5 py-1.5 text-body outline-none data-highlighted:bg-hover"
                      >
                        <Avatar name={option.label} src={option.avatar} />
                        <span className="min-w-0 flex-1 truncate">{option.label}</span>
                      </Base.Item>
                    )}
                  </Base.Collection>
                </Base.Group>
              )}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/** A choice is an event here, nothing stays chosen. */
const NOTHING: PickerOption | null = null;
