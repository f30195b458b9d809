const CLEAR_AFTER_MS = 5_000;

let region: HTMLElement | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Announces a short sentence to assistive technology, politely: for what the screen shows without text, such as a count. */
export function announce(text: string): void {
  const live = liveRegion();
  const line = document.createElement("p");
  line.textContent = text;
  live.append(line);
  clearTimeout(timer);
  timer = setTimeout(() => live.replaceChildren(), CLEAR_AFTER_MS);
}

function liveRegion(): HTMLElement {
  if (region?.isConnected) return region;
  region = document.createElement("div");
  region.className = "sr-only";
  // role alone is not enough: modal layers spare only [aria-live] when they hide the rest of the page.
  region.setAttribute("role", "status");
  region.setAttribute("aria-live", "polite");
  region.setAttribute("aria-atomic", "false");
  document.body.append(region);
  return region;
}
