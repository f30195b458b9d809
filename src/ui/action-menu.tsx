import { GENERAL_MESSAGES } from "@server/contract/messages/general";
import {
  type ComponentType,
  cloneElement,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type Ref,
  useId,
  useRef,
  useState,
} from "react";
import type { MenuEntry } from "./menu-entry";
import { toast } from "./toast";

type TriggerProps = {
  ref?: Ref<HTMLButtonElement>;
  id?: string;
  "aria-haspopup"?: "menu";
  "aria-expanded"?: boolean;
  onClick?: (event: MouseEvent<HTMLButtonElement>) => void;
  onKeyDown?: (event: KeyboardEvent<HTMLButtonElement>) => void;
  onPointerEnter?: () => void;
  onFocus?: () => void;
};

type ActionMenuProps = {
  /** Names the menu for assistive technology. */
  label: string;
  /** A `Button` or `IconButton` of ours, or a plain `<button>`. */
  trigger: ReactElement<TriggerProps>;
  entries: readonly MenuEntry[];
  align?: "start" | "end" | undefined;
  /** The pointer or the focus has come near: the entries may soon be wanted. */
  onNear?: (() => void) | undefined;
};

type MenuModule = typeof import("./menu");

/**
 * A button that opens a menu. Only the button is in the first load: the menu's code is fetched when the pointer or the
 * focus comes near, and mounted on the first click, Enter, Space or arrow.
 */
export function ActionMenu({ label, trigger, entries, align = "end", onNear }: ActionMenuProps) {
  const [Menu, setMenu] = useState<ComponentType<Parameters<MenuModule["Menu"]>[0]> | null>(null);
  const [open, setOpen] = useState(false);
  const [startAt, setStartAt] = useState<"first" | "last" | "none">("none");
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();

  function show(at: "first" | "last" | "none"): void {
    setStartAt(at);
    void loadMenu().then((module) => {
      if (!module) return toast.error(GENERAL_MESSAGES.unreachable);
      setMenu(() => module.Menu);
      setOpen(true);
    });
  }
  function preload(): void {
    onNear?.();
    void loadMenu();
  }
  return (
    <>
      {cloneElement(trigger, {
        ref: button,
        id,
        "aria-haspopup": "menu",
        "aria-expanded": open,
        onClick: (event) => {
          // A click of the keyboard has no detail.
          if (open) setOpen(false);
          else show(event.detail === 0 ? "first" : "none");
        },
        onKeyDown: (event) => {
          if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
          event.preventDefault();
          show(event.key === "ArrowDown" ? "first" : "last");
        },
        onPointerEnter: preload,
        onFocus: preload,
      })}
      {Menu && (
        <Menu
          open={open}
          onOpenChange={setOpen}
          label={label}
          entries={entries}
          anchor={button}
          align={align}
          startAt={startAt}
        />
      )}
    </>
  );
}

/** Fetches the code of menus. Null when it does not come: offline, or a deployment under an open page. The next call tries again. */
export function loadMenu(): Promise<MenuModule | null> {
  return import("./menu").catch(() => null);
}
