import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { followPage } from "./page-focus";

const focus = vi.fn();
/** What is drawn as the page's heading, and who is notified when that changes. */
let heading: { textContent: string; focus: () => void } | null = null;
const observers = new Set<() => void>();

class Observer {
  readonly #changed: () => void;
  constructor(changed: () => void) {
    this.#changed = changed;
  }
  observe(): void {
    observers.add(this.#changed);
  }
  disconnect(): void {
    observers.delete(this.#changed);
  }
}

function draw(textContent: string): void {
  heading = { textContent, focus };
  for (const changed of observers) changed();
}

beforeAll(() => {
  vi.useFakeTimers();
  vi.stubGlobal("MutationObserver", Observer);
  vi.stubGlobal("document", { body: {}, activeElement: null, querySelector: () => heading });
});
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("each page has ten seconds for its heading, however long the one before has waited", () => {
  const onPage = vi.fn();
  draw("Tasks");
  followPage("tasks", onPage);
  heading = null;
  followPage("messages", onPage);
  vi.advanceTimersByTime(8_000);
  followPage("calendar", onPage);
  vi.advanceTimersByTime(8_000);
  draw("Calendar");
  expect(onPage).toHaveBeenCalledExactlyOnceWith("Calendar");
  expect(focus).toHaveBeenCalledOnce();

  heading = null;
  followPage("team", onPage);
  vi.advanceTimersByTime(10_000);
  expect(observers.size).toBe(0);
});
