import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog } from "@base-ui/react/dialog";
import { type LucideIcon, Search, X } from "lucide-react";
import { type ReactNode, type RefObject, useRef } from "react";
import { cn } from "@/lib/cn";
import { shortcutOf } from "@/lib/use-shortcuts";
import { Avatar } from "./avatar";
import { DialogBackdrop, type FocusTarget } from "./dialog";
import { IconButton } from "./icon-button";
import { Kbd } from "./kbd";
import { LoadingThread } from "./loading-thread";
import { MarkedText } from "./marked-text";

/** One line of a `CommandPalette`. */
export type PaletteItem = {
  /** Unique in the palette. */
  value: string;
  label: string;
  icon: LucideIcon;
  /** Stands in the place of the icon. */
  avatar?: { name: string; src: string | null } | undefined;
  /** Quiet words at the end: what it belongs to. */
  detail?: string | undefined;
  /** Keys that do the same. */
  shortcut?: string | undefined;
  /** The page stays, though something may open over it: the focus goes back to where it came from. */
  staysHere?: boolean | undefined;
  onChoose: () => void;
};
export type PaletteGroup = { label: string; items: readonly PaletteItem[] };

type CommandPaletteProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Names dialog and input, and is the input's placeholder. */
  label: string;
  text: string;
  onTextChange: (text: string) => void;
  /** Is marked in the lines: what they were found by. */
  query: string;
  maxLength?: number | undefined;
  /** More may come. */
  busy: boolean;
  /** The keys that opened it close it as well, and open it again while it fades out. */
  shortcut: string;
  /** Filtered already; empty groups left out. */
  groups: readonly PaletteGroup[];
  /** What was found, in words, for those who do not see the list. */
  status: string;
  emptyMessage: ReactNode;
  /** Above the list: what could not be searched. */
  notice?: ReactNode;
  /** After Escape; not after a choice, which leads somewhere else. */
  finalFocus?: FocusTarget | undefined;
};

/**
 * Type, walk with the arrows, Enter: a list of whatever one may do or open, grouped, under one input. Its size stays while
 * the list changes. Heavy (combobox): import it from a lazy chunk.
 */
export function CommandPalette({ open, onOpenChange, label, shortcut, finalFocus, ...list }: CommandPaletteProps) {
  const input = useRef<HTMLInputElement>(null);
  const hasChosen = useRef(false);
  const before = useRef<Element | null>(null);
  const popup = useRef<HTMLDivElement>(null);

  function choose(item: PaletteItem): void {
    hasChosen.current = true;
    onOpenChange(false);
    // After the dialog has let go of the focus.
    setTimeout(() => {
      // At once: what opens now gives the focus back to it in its turn.
      if (item.staysHere && before.current instanceof HTMLElement) before.current.focus();
      item.onChoose();
    });
  }
  return (
    <Dialog.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <Dialog.Portal>
        <DialogBackdrop />
        <Dialog.Viewport className="fixed inset-0 z-50 grid items-start justify-items-center sm:p-6 sm:pt-[max(24px,12dvh)]">
          <Dialog.Popup
            ref={popup}
            aria-label={label}
            data-modal=""
            onKeyDown={(event) => {
              if (shortcutOf(event.nativeEvent) !== shortcut) return;
              event.preventDefault();
              if (event.repeat) return;
              // While it fades out it still has the keys.
              onOpenChange(!open);
            }}
            initialFocus={() => {
              // Not when it has closed: the focus is given back later still.
              hasChosen.current = false;
              // Opened again while it fades out: what had the focus before that is meant.
              if (!popup.current?.contains(document.activeElement)) before.current = document.activeElement;
              return input.current;
            }}
            finalFocus={(how) => {
              // Given back already, or gone with the page. Later it would be taken from what the choice has opened.
              if (hasChosen.current) return false;
              return typeof finalFocus === "function" ? finalFocus() : (finalFocus?.current ?? how !== "touch");
            }}
            className={cn(
              "flex h-dvh w-full min-w-0 flex-col overflow-hidden bg-surface text-ink shadow-3 outline-none sm:h-[min(480px,76dvh)] sm:max-w-[600px] sm:rounded-dialog",
              "transition-[opacity,scale] duration-140 ease-out",
              "data-ending-style:scale-98 data-starting-style:scale-98 data-ending-style:opacity-0 data-starting-style:opacity-0",
            )}
          >
            <Palette input={input} label={label} onChoose={choose} {...list} />
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

type ListProps = Omit<CommandPaletteProps, "open" | "onOpenChange" | "shortcut" | "finalFocus"> & {
  input: RefObject<HTMLInputElement | null>;
  onChoose: (item: PaletteItem) => void;
};

function Palette({ input, label, text, query, onTextChange, maxLength, groups, onChoose, ...said }: ListProps) {
  return (
    <Autocomplete.Root
      open
      inline
      mode="none"
      autoHighlight="always"
      keepHighlight
      items={groups}
      value={text}
      itemToStringValue={({ label }: PaletteItem) => label}
      onValueChange={(next, details) => {
        if (details.reason === "escape-key") {
          // It belongs to the dialog.
          details.cancel();
          details.allowPropagation();
        } else if (details.reason === "input-change" || details.reason === "input-clear") onTextChange(next);
      }}
    >
      <div className="flex shrink-0 items-center gap-2.5 border-line border-b px-4">
        <Search size={18} className="shrink-0 text-ink2" />
        <Autocomplete.Input
          ref={input}
          aria-label={label}
          aria-autocomplete="list"
          placeholder={label}
          maxLength={maxLength}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          className="h-14 min-w-0 flex-1 bg-transparent text-reading outline-none"
        />
        <Dialog.Close render={<IconButton icon={X} label="Dismiss" />} className="-me-2" />
      </div>
      <LoadingThread active={said.busy} />
      <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-2 [scroll-padding-block:40px_8px]">
        {said.notice}
        <Autocomplete.Empty>
          <div className="px-3 py-8 text-center text-ink2 empty:hidden">{said.emptyMessage}</div>
        </Autocomplete.Empty>
        <Autocomplete.List>
          {(group: PaletteGroup) => (
            <Autocomplete.Group key={group.label} items={group.items} className="mb-1.5">
              <Autocomplete.GroupLabel className="px-2.5 pt-2 pb-1 text-ink3 text-meta">
                {group.label}
              </Autocomplete.GroupLabel>
              <Autocomplete.Collection>
                {(item: PaletteItem) => <Line key={item.value} item={item} query={query} onChoose={onChoose} />}
              </Autocomplete.Collection>
            </Autocomplete.Group>
          )}
        </Autocomplete.List>
      </div>
      <Autocomplete.Status className="sr-only">{said.status}</Autocomplete.Status>
      <KeyHints />
    </Autocomplete.Root>
  );
}

type LineProps = { item: PaletteItem; query: string; onChoose: (item: PaletteItem) => void };

function Line({ item, query, onChoose }: LineProps) {
  const { icon: Icon, avatar, label, detail, shortcut } = item;
  return (
    <Autocomplete.Item
      value={item}
      onClick={() => onChoose(item)}
      className="group/line flex min-h-11 cursor-pointer select-none items-center gap-2.5 rounded-control px-2.5 text-body outline-none data-highlighted:bg-hover pointer-fine:min-h-10"
    >
      <span className="grid w-6 shrink-0 place-items-center text-ink2 group-data-highlighted/line:text-ink">
        {avatar ? <Avatar name={avatar.name} src={avatar.src} size={24} /> : <Icon size={18} />}
      </span>
      <span className="min-w-0 flex-1 truncate">
        <MarkedText text={label} query={query} />
      </span>
      {detail && <span className="max-w-[45%] shrink-0 truncate text-dense text-ink2">{detail}</span>}
      {shortcut && (
        <span className="pointer-coarse:hidden">
          <Kbd>{shortcut}</Kbd>
        </span>
      )}
    </Autocomplete.Item>
  );
}

function KeyHints() {
  return (
    <p
      aria-hidden="true"
      className="flex shrink-0 items-center gap-4 border-line border-t px-4 py-2.5 text-ink3 text-meta max-sm:hidden pointer-coarse:hidden"
    >
      {[
        ["↑↓", "to choose"],
        ["↵", "to open"],
        ["Esc", "to close"],
      ].map(([key, text]) => (
        <span key={key} className="inline-flex items-center gap-1.5">
          <Kbd>{key}</Kbd>
          {text}
        </span>
      ))}
    </p>
  );
}
