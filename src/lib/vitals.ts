import type { Vital } from "@db/enums";
import { whenIdle } from "./when-idle";

const ADDRESS = "/api/vitals";
/** Between two looks whether the page has all that it asked for. */
const LOOK_MS = 1_000;

/**
 * Measures page speed and sends it when the page is left: its path and up to five numbers, nothing about the visitor. The
 * measuring code is loaded when the browser is idle and the page not `isBusy`, and learns of what has happened before.
 */
export function reportVitals(isBusy: () => boolean = () => false): void {
  // Which page it was, not whose.
  const route = location.pathname.replace(/\/[\da-f]{8}-[\da-f-]{27}$/i, "/:id");
  const begin = () => {
    import("web-vitals").then(
      ({ onCLS, onFCP, onINP, onLCP, onTTFB }) => {
        const measured = new Map<Vital, number>();
        const note = ({ name, value }: { name: Vital; value: number }) => {
          measured.set(name, name === "CLS" ? Math.round(value * 10_000) / 10_000 : Math.round(value));
        };
        for (const watch of [onCLS, onFCP, onINP, onLCP, onTTFB]) watch(note);
        sendWhenHidden(route, measured);
      },
      () => undefined,
    );
  };
  const look = () => {
    if (isBusy()) setTimeout(look, LOOK_MS);
    else void whenIdle(LOOK_MS).then(begin);
  };
  const later = () => setTimeout(look, LOOK_MS);
  if (document.readyState === "complete") later();
  else addEventListener("load", later, { once: true });
}

/** Once: coming back to the tab is the same visit. */
function sendWhenHidden(route: string, measured: ReadonlyMap<Vital, number>): void {
  const send = () => {
    if (document.visibilityState !== "hidden" || measured.size === 0) return;
    document.removeEventListener("visibilitychange", send);
    const vitals = [...measured].map(([vital, value]) => ({ vital, value }));
    navigator.sendBeacon(ADDRESS, new Blob([JSON.stringify({ route, vitals })], { type: "application/json" }));
  };
  document.addEventListener("visibilitychange", send);
}
