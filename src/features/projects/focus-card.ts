import { cardLinkId } from "@/features/projects/project-card";

const PATIENCE_MS = 1_000;

/**
 * Gives the focus to a project's card as soon as it is drawn and no dialog covers it: going back through the history, and
 * the tab that holds the card, arrive a moment later than the wish. Answers with a way to give up.
 */
export function focusCard(projectId: string): () => void {
  const giveUpAtMs = performance.now() + PATIENCE_MS;
  let frame = 0;
  function look(): void {
    const link = document.getElementById(cardLinkId(projectId));
    const isCovered = document.querySelector('[role="dialog"]') !== null;
    if (link && !isCovered) {
      link.scrollIntoView({ block: "nearest" });
      link.focus({ preventScroll: true });
    } else if (performance.now() < giveUpAtMs) frame = requestAnimationFrame(look);
  }
  look();
  return () => cancelAnimationFrame(frame);
}
