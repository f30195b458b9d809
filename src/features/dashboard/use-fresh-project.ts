import { useEffect, useState } from "react";
import { focusCard } from "../projects/focus-card";

const SHOWN_MS = 2_000;

/** The project that has just been created here: its card is outlined for 2 s and takes the focus. Design 3.6. */
export function useFreshProject(): [freshId: string | null, show: (projectId: string) => void] {
  const [freshId, setFreshId] = useState<string | null>(null);
  useEffect(() => {
    if (freshId === null) return undefined;
    const stop = focusCard(freshId);
    const timer = setTimeout(() => setFreshId(null), SHOWN_MS);
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [freshId]);
  return [freshId, setFreshId];
}
