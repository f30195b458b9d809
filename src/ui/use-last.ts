import { useEffect, useRef } from "react";

/** `value` while `fresh`, then its last fresh value: a closing dialog keeps its content until it is gone. */
export function useLast<T>(value: T, fresh: boolean): T {
  const last = useRef(value);
  useEffect(() => {
    if (fresh) last.current = value;
  });
  return fresh ? value : last.current;
}
