import type { HistoryState } from "@tanstack/react-router";

/** What lies over a page. */
export type Layer = (typeof LAYERS)[number];
const LAYERS = ["panel", "modal", "task"] as const;

/**
 * Kept with each history entry: how many entries back the page was when that layer was still closed. Missing for a layer that
 * came with the address (a shared link, a reload of a new tab): nothing of ours lies behind it.
 */
export type Layers = Partial<Record<Layer, number>>;

declare module "@tanstack/react-router" {
  interface HistoryState {
    layers?: Layers;
    /** The edit form was opened from the details, and Cancel goes back to them. */
    editFromView?: boolean;
  }
}

/** For an entry pushed on top: whatever is open now was opened one entry further back. */
export function pushed(layers: Layers, opened?: Layer): Layers {
  const next: Layers = {};
  for (const layer of LAYERS) {
    const steps = layers[layer];
    if (steps !== undefined) next[layer] = steps + 1;
  }
  if (opened) next[opened] = 1;
  return next;
}

/** For an entry in whose place that layer is closed. */
export function without(layers: Layers, closed: Layer): Layers {
  const next = { ...layers };
  delete next[closed];
  return next;
}

/** For an entry in which the panel, or a dialog over it, stands in place of the task. */
export function inPlaceOfTask({ panel, task }: Layers, by: "panel" | "modal"): Layers {
  const next: Layers = panel === undefined ? {} : { panel };
  const steps = by === "panel" ? (panel ?? task) : task;
  if (steps !== undefined) next[by] = steps;
  return next;
}

/** `state` of a navigation that pushes an entry and leaves open what lies over the page. */
export function onTop({ layers = {} }: HistoryState): HistoryState {
  return { layers: pushed(layers) };
}
