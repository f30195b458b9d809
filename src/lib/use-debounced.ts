import { useEffect, useState } from "react";

/** The value once it has not changed for `delayMs`: for requests while someone types. */
export function useDebounced<Value>(value: Value, delayMs = 200): Value {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), delayMs);
    return () => clearTimeout(timer);
  }, [value, delayMs]);
  return debounced;
}
