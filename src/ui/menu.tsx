import { Menu as Base } from "@base-ui/react/menu";
import { Check, type LucideIcon } from "lucide-react";
import { type RefObject, useEffect, useRef } from "react";
import { cn } from "@/lib/cn";
import type { MenuEntry } from "./menu-entry";
import { VisuallyHidden } from "./visually-hidden";

type MenuProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Names the menu. */
  label: string;
  entries: readonly MenuEntry[];
  anchor: RefObject<HTMLElement | null>;
  align: "start" | "end";
  /** Opened from the keyboard: the first or last entry takes the focus, else the menu itself does. */
  startAt: "first" | "last" | "none";
};

/** The open menu itself. Heavy (floating-ui): use `ActionMenu`, which fetches this when somebody reaches for it. */
export function Menu({ open, onOpenChange, label, entries, anchor, align, startAt }: MenuProps) {
  const popup = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open || startAt === "none") return undefined;
    const frame = requestAnimationFrame(() => {
      const found = [...(popup.current?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? [])];
      // A frame may come late: whoever has gone on to another entry stays there.
      if (found.some((entry) => entry === document.activeElement)) return;
      found[startAt === "first" ? 0 : found.length - 1]?.focus();
    });
    return () => cancelAnimationFrame(frame);
  }, [open, startAt]);
  return (
    <Base.Root
      open={open}
      onOpenChange={(next, details) => {
        const at = details.event.target;
        // The trigger toggles by itself; its press must not close and open again.
        if (!next && details.reason === "outside-press" && at instanceof Node && anchor.current?.contains(at)) return;
        onOpenChange(next);
      }}
    >
      <Base.Portal>
        <Base.Positioner
          anchor={anchor}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className="z-60 outline-none"
        >
          <Base.Popup
            ref={popup}
            aria-label={label}
            finalFocus={() => {
              // Not when an entry has already opened a layer that holds the focus.
              const at = document.activeElement;
              return at === document.body || popup.current?.contains(at) ? anchor.current : false;
            }}
            className={cn(
              "max-h-(--available-height) min-w-52 max-w-[min(400px,calc(100vw-16px))] origin-(--transform-origin) overflow-y-auto rounded-[12px] bg-raised p-1 text-ink shadow-2 outline-none",
              "transition-[opacity,scale] duration-140 ease-out",
              "data-ending-style:scale-98 data-starting-style:scale-98 data-ending-style:opacity-0 data-starting-style:opacity-0",
            )}
          >
            <Entries entries={entries} />
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

function Entries({ entries }: { entries: readonly MenuEntry[] }) {
  return entries.map((entry, at) => {
    if (entry.kind === "separator") {
      // biome-ignore lint/suspicious/noArrayIndexKey: separators have no other identity.
      return <Base.Separator key={`line-${at}`} className="mx-1 my-1 h-px bg-line" />;
    }
    return <Entry key={(entry.kind === "link" && entry.id) || entry.label} entry={entry} />;
  });
}

function Entry({ entry }: { entry: Exclude<MenuEntry, { kind: "separator" }> }) {
  if (entry.kind === "group") {
    return (
      <Base.Group>
        <Base.GroupLabel className="px-2.5 pt-2 pb-1 text-ink3 text-meta">{entry.label}</Base.GroupLabel>
        <Entries entries={entry.entries} />
      </Base.Group>
    );
  }
  if (entry.kind === "link") {
    return (
      <Base.LinkItem
        render={entry.render}
        className={entry.detail === undefined ? itemStyle : cn(entryStyle, "py-1.5")}
        closeOnClick
      >
        {entry.detail === undefined ? <EntryLabel icon={entry.icon} label={entry.label} /> : <TwoLines entry={entry} />}
      </Base.LinkItem>
    );
  }
  if (entry.checked !== undefined) {
    return (
      <Base.CheckboxItem
        checked={entry.checked}
        closeOnClick
        disabled={entry.disabled}
        onClick={() => afterClosing(entry.onSelect)}
        className={itemStyle}
      >
        <EntryLabel icon={entry.icon} label={entry.label} />
        <Base.CheckboxItemIndicator className="ms-auto ps-4">
          <Check size={16} />
        </Base.CheckboxItemIndicator>
      </Base.CheckboxItem>
    );
  }
  return (
    <Base.Item
      disabled={entry.disabled}
      onClick={() => afterClosing(entry.onSelect)}
      className={cn(itemStyle, entry.tone === "danger" && "text-red data-highlighted:bg-red-soft")}
    >
      <EntryLabel icon={entry.icon} label={entry.label} />
    </Base.Item>
  );
}

/** A layer that an entry opens must take the focus after the menu has given it back to the trigger, not before. */
function afterClosing(onSelect: () => void): void {
  setTimeout(onSelect, 0);
}

const entryStyle = cn(
  "flex w-full cursor-pointer select-none items-center gap-2.5 rounded-control px-2.5 text-body outline-none",
  "data-highlighted:bg-hover data-disabled:cursor-not-allowed data-disabled:opacity-65",
);
const itemStyle = cn(entryStyle, "h-11 pointer-fine:h-9");

function TwoLines({ entry: { label, detail, isUnread = false } }: { entry: Extract<MenuEntry, { kind: "link" }> }) {
  return (
    <>
      <span aria-hidden="true" className={cn("size-2 shrink-0 rounded-pill", isUnread && "bg-brand")} />
      <span className="min-w-0 flex-1">
        {isUnread && <VisuallyHidden>Unread: </VisuallyHidden>}
        <bdi className={cn("block truncate", isUnread && "font-semibold")}>{label}</bdi>
        <span className="block truncate text-dense text-ink2">{detail}</span>
      </span>
    </>
  );
}

function EntryLabel({ icon: Icon, label }: { icon: LucideIcon | undefined; label: string }) {
  return (
    <>
      {Icon && <Icon size={16} className="shrink-0" />}
      <span className="truncate">{label}</span>
    </>
  );
}
