import { useEffect, useEffectEvent } from "react";

const forms = new Set<() => boolean>();

/** `isUnsaved` is asked when the session ends. Returns the function that takes the form out again. */
export function registerForm(isUnsaved: () => boolean): () => void {
  forms.add(isUnsaved);
  return () => void forms.delete(isUnsaved);
}

/** Registers a form for as long as it is mounted. `isUnsaved` is asked when the session ends, not on every render. */
export function useUnsavedForm(isUnsaved: () => boolean): void {
  const check = useEffectEvent(isUnsaved);
  useEffect(() => registerForm(() => check()), []);
}

/** Whether leaving this page would lose input that the server does not have yet. */
export function hasUnsavedForms(): boolean {
  return [...forms].some((isUnsaved) => isUnsaved());
}
