import { useEffect, useState } from "react";

/** The value as it was when it last stood still for that long: for questions to the server while somebody types. */
export function useDebounced<Value>(value: Value, delayMs = 200): Value {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), delayMs);
    return () => clearTimeout(timer);
  }, [value, delayMs]);
  return debounced;
}
