import { type ReactNode, useLayoutEffect, useRef, useSyncExternalStore } from "react";
import { createStore } from "@/lib/store";

/** How long after a press its click may come. */
const CLICK_MS = 300;
/** What ends a press, and how long after it what was held back is shown: its click goes first. */
const ENDS = { pointerup: CLICK_MS, click: 0, pointercancel: 0, contextmenu: 0, input: 0, keydown: 0 };

let isPressed = false;
let timer: ReturnType<typeof setTimeout> | undefined;
const store = createStore();

function release(): void {
  isPressed = false;
  store.emit();
}

function subscribe(listener: () => void): () => void {
  if (timer === undefined) watchPresses();
  return store.subscribe(listener);
}

/** Once, for as long as the page lives: before any handler of the page. */
function watchPresses(): void {
  timer = setTimeout(release);
  const press = () => {
    clearTimeout(timer);
    isPressed = true;
  };
  addEventListener("pointerdown", press, true);
  for (const [type, delayMs] of Object.entries(ENDS)) {
    const end = () => {
      if (!isPressed) return;
      clearTimeout(timer);
      // What the click itself changes is drawn as it is: a radio button that was held back would spring back for a moment.
      isPressed = delayMs > 0;
      timer = setTimeout(release, delayMs);
    };
    addEventListener(type, end, true);
  }
}

/**
 * `value`, except while a pointer is pressed: then what it was before the press, until its click has been handled. For whatever
 * comes and goes by itself in a form: what moves between press and release takes the press away from what was under it.
 */
export function useSteady<Value>(value: Value): Value {
  const shown = useRef(value);
  const steady = useSyncExternalStore(
    subscribe,
    () => (isPressed ? shown.current : value),
    () => value,
  );
  useLayoutEffect(() => {
    shown.current = steady;
  });
  return steady;
}

/** A message that comes and goes above something that is pressed. */
export function Steady({ children }: { children: ReactNode }): ReactNode {
  return useSteady(children);
}
