import { Tabs as Base } from "@base-ui/react/tabs";
import type { LucideIcon } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { cn } from "@/lib/cn";
import { useShortcutHint } from "@/lib/use-local-setting";
import { CountBadge, countedName } from "./count-badge";
import { useTooltip } from "./tooltip";

/** One tab of `Tabs`. */
type TabEntry<Value extends string> = {
  value: Value;
  label: string;
  icon?: LucideIcon | undefined;
  count?: number | undefined;
  /** The count in words, part of the tab's name: "6 projects". */
  countLabel?: string | undefined;
  /** "brand" for something that waits for the reader. */
  tone?: "grey" | "brand" | undefined;
  /** The key that chooses it, shown in its tooltip; binding the key is the app's. */
  shortcut?: string | undefined;
  /** While something is dragged that may be dropped here: what that does, in words. */
  drop?: { label: string; isOver: boolean } | undefined;
};

type TabsProps<Value extends string> = {
  /** Names the list of tabs. */
  label: string;
  tabs: readonly TabEntry<Value>[];
  value: Value;
  onValueChange: (value: Value) => void;
  className?: string | undefined;
  /** `TabPanel`s, one for each value. */
  children: ReactNode;
};

/** Tabs with the thread under the chosen one. Arrows, Home and End move and choose at once (APG automatic activation). */
export function Tabs<Value extends string>({
  label,
  tabs,
  value,
  onValueChange,
  className,
  children,
}: TabsProps<Value>) {
  const list = useRef<HTMLDivElement>(null);
  // Where they do not all fit, the chosen one is in view, also when the address chose it.
  const widths = tabs.map(({ label, count }) => `${label} ${count ?? ""}`).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: both decide where the active tab lies
  useEffect(() => {
    // In the frame, where the page is laid out anyway: asked for now, it would be laid out once more.
    const frame = requestAnimationFrame(() => {
      const tab = list.current?.querySelector<HTMLElement>("[data-active]");
      if (tab) list.current?.scrollTo({ left: tab.offsetLeft - (list.current.clientWidth - tab.offsetWidth) / 2 });
    });
    return () => cancelAnimationFrame(frame);
  }, [value, widths]);
  function choose(next: unknown): void {
    const tab = tabs.find((entry) => entry.value === next);
    if (tab) onValueChange(tab.value);
  }
  return (
    <Base.Root value={value} onValueChange={choose} className={className}>
      <Base.List
        ref={list}
        activateOnFocus
        aria-label={label}
        className={cn(
          "relative flex overflow-x-auto border-line border-b [scrollbar-width:none]",
          // Within reach of whatever is dragged from far below; where it stands already, nothing moves.
          tabs.some(({ drop }) => drop) &&
            "sticky! top-[60px] z-20 bg-canvas shadow-[-1px_0_0_var(--canvas),1px_0_0_var(--canvas)]",
        )}
      >
        {tabs.map((tab) => (
          <Tab key={tab.value} tab={tab} />
        ))}
      </Base.List>
      {children}
    </Base.Root>
  );
}

function Tab<Value extends string>({ tab }: { tab: TabEntry<Value> }) {
  const { icon: Icon, drop } = tab;
  const shortcut = useShortcutHint(tab.shortcut);
  const tooltip = useTooltip({ text: tab.label, shortcut, disabled: shortcut === undefined });
  return (
    <Base.Tab
      value={tab.value}
      aria-label={countedName(tab.label, tab.countLabel)}
      aria-keyshortcuts={shortcut}
      onPointerEnter={tooltip.onPointerEnter}
      onPointerLeave={tooltip.onPointerLeave}
      onPointerDown={tooltip.onPointerDown}
      className={cn(
        "relative inline-flex h-11 shrink-0 items-center gap-1.5 rounded-t-control px-2 font-medium text-body text-ink2 sm:gap-2 sm:px-3",
        "transition-colors duration-90 ease-out hover:text-ink focus-visible:-outline-offset-2 data-active:text-ink",
        // The thread is the tab's own: one that slides between tabs has to be measured, with the whole page laid out in between.
        "data-active:after:absolute data-active:after:inset-x-1 data-active:after:bottom-0 data-active:after:h-0.5 data-active:after:rounded-pill data-active:after:bg-brand sm:data-active:after:inset-x-1.5",
      )}
    >
      {Icon && <Icon size={16} className="hidden sm:block" />}
      {tab.label} {tab.count !== undefined && <CountBadge count={tab.count} tone={tab.tone} />}
      {drop && <DropLabel {...drop} />}
    </Base.Tab>
  );
}

/** Lies over its tab, so that nothing moves under the pointer. Dragging is the pointer's alone: nobody else hears of it. */
function DropLabel({ label, isOver }: { label: string; isOver: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={cn(
        "pointer-events-none absolute inset-x-0.5 inset-y-1 grid place-items-center rounded-control border border-brand-text border-dashed px-1 text-dense",
        isOver ? "border-solid bg-brand text-on-brand" : "bg-brand-soft text-brand-text",
      )}
    >
      <span className="max-w-full truncate">{label}</span>
    </span>
  );
}

type TabPanelProps = { value: string; className?: string | undefined; children: ReactNode };

/** What belongs to one tab; only the chosen one is in the page. */
export function TabPanel({ value, className, children }: TabPanelProps) {
  return (
    <Base.Panel value={value} tabIndex={0} className={cn("pt-5 focus-visible:outline-offset-4", className)}>
      {children}
    </Base.Panel>
  );
}
