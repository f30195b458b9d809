const TIMEOUT_MS = 4_000;
const SHOWN_MS = 2_000;

/**
 * Scrolls a task of the open panel into view, focuses it and highlights it for 2 s, as soon as its row is rendered and the panel
 * has taken the focus itself. Returns a function that cancels. Rows carry `data-row`.
 */
export function showTask(taskId: string): () => void {
  const giveUpAtMs = performance.now() + TIMEOUT_MS;
  let frame = 0;
  function look(): void {
    const row = document.querySelector<HTMLElement>(`[role="dialog"] [data-row="${CSS.escape(taskId)}"]`);
    const panel = row?.closest('[role="dialog"]');
    if (row && panel?.contains(document.activeElement)) show(row);
    else if (performance.now() < giveUpAtMs) frame = requestAnimationFrame(look);
  }
  // The panel takes the focus in its first frames.
  frame = requestAnimationFrame(look);
  return () => cancelAnimationFrame(frame);
}

function show(row: HTMLElement): void {
  row.scrollIntoView({ block: "center" });
  const control = row.querySelector<HTMLElement>("input,button");
  if (!control) row.tabIndex = -1;
  (control ?? row).focus({ preventScroll: true });
  const [start, end] = ["var(--brand-soft)", "transparent"];
  row.animate({ backgroundColor: [start, start, end] }, { duration: SHOWN_MS, easing: "ease-out" });
}
