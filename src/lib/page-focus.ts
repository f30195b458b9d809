const BRAND = "Sangam";
/** A page without a heading by then has failed and shows its own error. */
const TIMEOUT_MS = 10_000;

let shown: { page: string | undefined; title: string } | null = null;
let waiting: MutationObserver | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let waitingCount = 0;

/**
 * After a navigation has been drawn: names the document after the page's h1. When it is another page than before (another
 * route, or another heading), focus goes to that h1, unless the page has taken it into its main part itself or somebody types
 * in the search box that led here, and `onPage` receives its title.
 * Not on the first page of a visit: there the first Tab belongs to the skip link. Design 3.0.
 */
export function followPage(page: string | undefined, onPage: (title: string) => void): void {
  stopWaiting();
  if (settle(page, onPage)) return;
  waiting = new MutationObserver(() => {
    if (settle(page, onPage)) stopWaiting();
  });
  waiting.observe(document.body, { childList: true, subtree: true, characterData: true });
  timer = setTimeout(stopWaiting, TIMEOUT_MS);
}

/** The heading of the page, which takes the focus of what disappears when it is pressed. */
export function pageHeading(): HTMLElement | null {
  return document.querySelector<HTMLElement>("main h1");
}

/** Whether a late answer may move the focus: it is in `box`, or was lost with what had it. Whoever went on elsewhere keeps theirs. */
export function mayTakeFocus(box: Element | null): boolean {
  const { activeElement: active } = document;
  return active === document.body || (box?.contains(active) ?? false);
}

/** How much waits for the reader, shown before the title while it is not 0: "(5) Messages · Sangam". */
export function setTitleCount(count: number): void {
  if (count === waitingCount) return;
  waitingCount = count;
  // Before the first page has been drawn there is no title of ours yet.
  if (shown) showTitle(shown.title);
}

function showTitle(title: string): void {
  const count = waitingCount > 99 ? "99+" : waitingCount;
  document.title = `${waitingCount > 0 ? `(${count}) ` : ""}${title} · ${BRAND}`;
}

function settle(page: string | undefined, onPage: (title: string) => void): boolean {
  const heading = document.querySelector<HTMLElement>("h1");
  const title = heading?.textContent.trim();
  if (!heading || !title) return false;
  showTitle(title);
  const before = shown;
  shown = { page, title };
  if (!before || (before.page === page && before.title === title)) return true;
  heading.tabIndex = -1;
  if (!document.activeElement?.closest('main,input[type="search"]')) heading.focus({ preventScroll: true });
  onPage(title);
  return true;
}

function stopWaiting(): void {
  clearTimeout(timer);
  waiting?.disconnect();
}
