import { useEffect, useState } from "react";
import { cardLinkId } from "@/features/projects/project-card";

const SHOWN_MS = 2_000;

/** The project that has just been created here: its card is outlined for 2 s and takes the focus. Design 3.6. */
export function useFreshProject(): [freshId: string | null, show: (projectId: string) => void] {
  const [freshId, setFreshId] = useState<string | null>(null);
  useEffect(() => {
    if (freshId === null) return undefined;
    const stop = whenDrawn(cardLinkId(freshId), (link) => {
      link.scrollIntoView({ block: "nearest" });
      link.focus({ preventScroll: true });
    });
    const timer = setTimeout(() => setFreshId(null), SHOWN_MS);
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [freshId]);
  return [freshId, setFreshId];
}

/** The tab that holds it is on its way: the dialog closes by going back, and the new tab comes after. */
function whenDrawn(id: string, use: (element: HTMLElement) => void): () => void {
  let frame = 0;
  function look(): void {
    const element = document.getElementById(id);
    const isCovered = document.querySelector('[role="dialog"]') !== null;
    if (element && !isCovered) use(element);
    else frame = requestAnimationFrame(look);
  }
  look();
  return () => cancelAnimationFrame(frame);
}
