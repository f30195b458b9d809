import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { useUnsavedForm } from "@/lib/unsaved-forms";

/** What keys have chosen and is not saved. */
interface Held<Value> {
  value: Value;
  /** What it changes. */
  base: Value;
}

interface SelectEditOptions<Value extends string> {
  choices: readonly Value[];
  /** What is chosen as far as the field knows. */
  chosen: Value;
  save: (value: Value, base: Value) => void;
}

/**
 * A native select that saves by itself. Arrow keys and letters choose each option on their way through the closed list, so theirs counts
 * once the field is left or Enter is pressed; Escape takes it back. What is chosen in the open list counts at once.
 */
export function useSelectEdit<Value extends string>({ choices, chosen, save }: SelectEditOptions<Value>) {
  const [held, setHeld] = useState<Held<Value> | null>(null);
  const isStepping = useRef(false);
  useUnsavedForm(() => held !== null);

  function finish(): void {
    isStepping.current = false;
    setHeld(null);
    if (held && held.value !== held.base) save(held.value, held.base);
  }
  const finishLeaving = useEffectEvent(finish);
  // A control that goes away loses the focus without an event.
  useEffect(() => () => finishLeaving(), []);
  const isHeld = held !== null;
  useEffect(() => {
    if (!isHeld) return undefined;
    function onUnload(event: BeforeUnloadEvent): void {
      finishLeaving();
      // Asks, so that the save is under way before the page is gone.
      event.preventDefault();
    }
    window.addEventListener("beforeunload", onUnload);
    return () => window.removeEventListener("beforeunload", onUnload);
  }, [isHeld]);

  return {
    shown: held ? held.value : chosen,
    control: {
      onChange({ target }: { target: HTMLSelectElement }): void {
        const value = choices.find((choice) => choice === target.value);
        if (value === undefined) return;
        const base = held ? held.base : chosen;
        setHeld(isStepping.current ? { value, base } : null);
        if (!isStepping.current && value !== base) save(value, base);
      },
      onPointerDown(): void {
        isStepping.current = false;
      },
      onBlur: finish,
      onKeyDown(event: KeyboardEvent<HTMLSelectElement>): void {
        isStepping.current = isStep(event);
        if (event.key === "Enter") finish();
        if (event.key !== "Escape" || !held) return;
        event.preventDefault();
        event.stopPropagation();
        setHeld(null);
      },
    },
  };
}

/** Whether a key chooses in a closed list; with Alt it opens it. */
function isStep({ key, altKey }: KeyboardEvent): boolean {
  if (altKey) return false;
  return /^(?:Arrow|Page)(?:Up|Down|Left|Right)$|^(?:Home|End)$/.test(key) || (key.length === 1 && key !== " ");
}
