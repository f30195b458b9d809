import { useEffect, useEffectEvent } from "react";

const forms = new Set<() => boolean>();

/** Registers a form for as long as it is mounted. `isUnsaved` is asked when the session ends, not on every render. */
export function useUnsavedForm(isUnsaved: () => boolean): void {
  const check = useEffectEvent(isUnsaved);
  useEffect(() => {
    const form = () => check();
    forms.add(form);
    return () => void forms.delete(form);
  }, []);
}

/** Whether leaving this page would lose input that the server does not have yet. */
export function hasUnsavedForms(): boolean {
  return [...forms].some((isUnsaved) => isUnsaved());
}
