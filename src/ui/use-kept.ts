import { useEffect, useRef } from "react";

/** `value` while `fresh`, and its last fresh value afterwards: a closing layer keeps its content until it is gone. */
export function useKept<T>(value: T, fresh: boolean): T {
  const kept = useRef(value);
  useEffect(() => {
    if (fresh) kept.current = value;
  });
  return fresh ? value : kept.current;
}
