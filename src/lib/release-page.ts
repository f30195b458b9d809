import { whenIdle } from "./when-idle";

/** Each part has fewer elements than that. What stops being inert has its style computed anew, in one task. */
const PART = 120;

/** Lets a page that came drawn be used, once React has all of it: part by part, as the browser has time. */
export async function releasePage(drawn: HTMLElement): Promise<void> {
  await whenIdle(1_000);
  // React hydrates at once what an event is about, if anything is left: words typed before it comes to a field would be lost.
  drawn.querySelector("h1")?.dispatchEvent(new Event("change", { bubbles: true }));
  const parts = partsOf(drawn);
  for (const part of parts) part.toggleAttribute("inert", true);
  drawn.inert = false;
  drawn.removeAttribute("aria-hidden");
  for (const part of parts) {
    await whenIdle(100);
    part.removeAttribute("inert");
  }
}

function partsOf(element: Element): Element[] {
  return element.querySelectorAll("*").length < PART ? [element] : [...element.children].flatMap(partsOf);
}
