import { useId } from "react";
import { PALETTE_SHORTCUT } from "@/features/search/palette-label";
import type { Home } from "@/lib/landing";
import { useShortcutKeys } from "@/lib/use-local-setting";
import { shortcutLabel, useIsApple } from "@/lib/use-shortcuts";
import { Dialog } from "@/ui/dialog";
import { Kbd } from "@/ui/kbd";
import { VisuallyHidden } from "@/ui/visually-hidden";
import { PageLink } from "../-page-link";

type ShortcutHelpProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  home: Home;
  mayWrite: boolean;
};

interface Shortcut {
  /** Any of these. */
  keys: readonly string[];
  does: string;
  /** Not listed for clients, who only read. */
  writes?: true;
  /** Only in this shell. */
  home?: Home;
}

const GROUPS: { title: string; home?: Home; shortcuts: readonly Shortcut[] }[] = [
  {
    title: "Everywhere",
    shortcuts: [
      { keys: [PALETTE_SHORTCUT], does: "Search or jump to anything" },
      { keys: ["/"], does: "Search projects; on Team, people", home: "/dashboard" },
      { keys: ["n"], does: "New project", writes: true },
      { keys: ["["], does: "Collapse or expand the sidebar" },
      { keys: ["?"], does: "Show this list" },
      { keys: ["Esc"], does: "Close the top window" },
    ],
  },
  {
    title: "Projects Board",
    home: "/dashboard",
    shortcuts: [
      { keys: ["1"], does: "To Do" },
      { keys: ["2"], does: "In Progress" },
      { keys: ["3"], does: "Completed" },
      { keys: ["Enter"], does: "Open the tasks of a project" },
    ],
  },
  {
    title: "Tabs and menus",
    shortcuts: [
      { keys: ["←", "→"], does: "Previous, next tab" },
      { keys: ["Home", "End"], does: "First, last tab" },
      { keys: ["↑", "↓"], does: "Move through a menu or a list" },
    ],
  },
  {
    title: "Tasks",
    home: "/dashboard",
    shortcuts: [
      { keys: ["Space"], does: "Complete or reopen a task", writes: true },
      { keys: ["Alt ↑", "Alt ↓"], does: "Move a task up or down", writes: true },
    ],
  },
];

const SPOKEN: Record<string, string> = {
  "[": "left square bracket",
  "/": "slash",
  "?": "question mark",
  "←": "left arrow",
  "→": "right arrow",
  "↑": "up arrow",
  "↓": "down arrow",
  "Alt ↑": "Alt and up arrow",
  "Alt ↓": "Alt and down arrow",
};

/** All keyboard shortcuts of a shell, and how to turn the single keys off. Design 3.0. */
export function ShortcutHelp({ open, onOpenChange, home, mayWrite }: ShortcutHelpProps) {
  const groups = GROUPS.filter((group) => (group.home ?? home) === home)
    .map(({ title, shortcuts }) => ({
      title,
      shortcuts: shortcuts.filter((one) => (mayWrite || !one.writes) && (one.home ?? home) === home),
    }))
    .filter(({ shortcuts }) => shortcuts.length > 0);
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Keyboard shortcuts">
      <div className="grid gap-x-10 gap-y-6 sm:grid-cols-2">
        {groups.map((group) => (
          <Group key={group.title} {...group} />
        ))}
      </div>
      <SingleKeys home={home} onLeave={() => onOpenChange(false)} />
    </Dialog>
  );
}

function Group({ title, shortcuts }: { title: string; shortcuts: readonly Shortcut[] }) {
  const id = useId();
  const isApple = useIsApple();
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="mb-1.5 font-sans font-semibold text-body tracking-normal">
        {title}
      </h3>
      <dl>
        {shortcuts.map(({ keys, does }) => (
          <div key={does} className="flex min-h-9 items-center justify-between gap-4 border-line border-b py-1.5">
            <dt className="text-ink2">{does}</dt>
            <dd className="flex shrink-0 items-center gap-1.5">
              {keys.map((key) => (
                <span key={key}>
                  <Kbd>{shortcutLabel(key, isApple)}</Kbd>
                  <VisuallyHidden>{SPOKEN[key] ?? shortcutLabel(key, isApple)}</VisuallyHidden>
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function SingleKeys({ home, onLeave }: Pick<ShortcutHelpProps, "home"> & { onLeave: () => void }) {
  const [areOn] = useShortcutKeys();
  return (
    <p className="mt-5 text-dense text-ink2">
      {areOn
        ? "Single keys do nothing while you type. You can turn them off in "
        : "Single keys are turned off. You can turn them on in "}
      <PageLink to={`${home}/settings`} onClick={onLeave} className="text-brand-text underline underline-offset-3">
        Settings
      </PageLink>
      .
    </p>
  );
}
