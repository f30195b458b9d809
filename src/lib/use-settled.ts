import { useEffect, useState } from "react";

/** The value as it was when it last stood still for that long: for questions to the server while somebody types. */
export function useSettled<Value>(value: Value, quietMs = 200): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), quietMs);
    return () => clearTimeout(timer);
  }, [value, quietMs]);
  return settled;
}
