import { useCallback, useSyncExternalStore } from "react";
import { createStore } from "./store";

/** What the first paint needs to know: the inline script of the HTML files reads these keys too. */
export const PAINTED_SETTINGS = { darkMode: true, sidebarCollapsed: false } as const;

/** Settings kept in this browser only, with the value that holds until somebody chooses. Design 3.0. */
const LOCAL_SETTINGS = {
  ...PAINTED_SETTINGS,
  shortcutKeys: true,
  notifications: false,
  firstSteps: true,
} as const;

/** A key of `localStorage` that the whole product shares. */
export type LocalSetting = keyof typeof LOCAL_SETTINGS;

type SetLocalSetting = (value: boolean) => void;

const store = createStore((emit) => {
  function followOtherTab({ key }: StorageEvent): void {
    // A null key means the other tab cleared the whole storage.
    if (key !== null && !Object.hasOwn(LOCAL_SETTINGS, key)) return;
    applyToPage("darkMode");
    applyToPage("sidebarCollapsed");
    emit();
  }
  addEventListener("storage", followOtherTab);
  applyToPage("darkMode"); // The browser's own bars: the inline script sets the class only.
  return () => removeEventListener("storage", followOtherTab);
});
/** Answers for this visit when storage is closed to us (private windows, blocked cookies). */
const unstored = new Map<LocalSetting, boolean>();

/**
 * One boolean kept in `localStorage`. Every component and every tab that uses the key follows a change at once.
 * On the server, and while hydrating, it is the default.
 */
export function useLocalSetting(key: LocalSetting): [value: boolean, set: SetLocalSetting] {
  const value = useSyncExternalStore(
    store.subscribe,
    () => read(key),
    () => LOCAL_SETTINGS[key],
  );
  const set = useCallback((next: boolean) => write(key, next), [key]);
  return [value, set];
}

/** Dark theme, on by default. Setting it switches the page (class `dark` on the root) and every other tab. */
export function useDarkMode(): [isDark: boolean, set: SetLocalSetting] {
  return useLocalSetting("darkMode");
}

/** Sidebar as a 64 px rail at 1024 px and up, off by default. Setting it moves the page (`data-sidebar` on the root). */
export function useSidebarCollapsed(): [isCollapsed: boolean, set: SetLocalSetting] {
  return useLocalSetting("sidebarCollapsed");
}

/** Whether single keys do something, on by default; they can be turned off for those who dictate. WCAG 2.1.4. */
export function useShortcutKeys(): [areOn: boolean, set: SetLocalSetting] {
  return useLocalSetting("shortcutKeys");
}

/** The key that a control shows for itself: none while single keys are turned off. */
export function useShortcutHint(shortcut: string | undefined): string | undefined {
  const [areOn] = useShortcutKeys();
  return areOn || (shortcut && shortcut.length > 1) ? shortcut : undefined;
}

function read(key: LocalSetting): boolean {
  const held = unstored.get(key);
  if (held !== undefined) return held;
  try {
    const stored = localStorage.getItem(key);
    return stored === null ? LOCAL_SETTINGS[key] : stored === "true";
  } catch {
    return LOCAL_SETTINGS[key];
  }
}

function write(key: LocalSetting, value: boolean): void {
  try {
    localStorage.setItem(key, String(value));
    unstored.delete(key);
  } catch {
    unstored.set(key, value);
  }
  applyToPage(key);
  store.emit();
}

/** The inline script did this before the first paint; from then on, this does. */
function applyToPage(key: LocalSetting): void {
  const root = document.documentElement;
  if (key === "darkMode") {
    const isDark = read(key);
    root.classList.toggle("dark", isDark);
    document.querySelector('meta[name="theme-color"]')?.setAttribute("content", isDark ? "#0f141a" : "#f6f5f1");
  } else if (key === "sidebarCollapsed") {
    if (read(key)) root.dataset.sidebar = "collapsed";
    else delete root.dataset.sidebar;
  }
}
