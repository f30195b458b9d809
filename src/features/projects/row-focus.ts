import type { Project } from "@server/contract/views";
import { useEffect, useRef } from "react";

/** The id of a row's header button. */
export function headerId(projectId: string): string {
  return `project-row-${projectId}`;
}

/** Where a row stands among those on the screen, for when it will have left. */
export interface Place {
  projectId: string;
  /** The rows after it, then those before it, nearest first. */
  neighbours: string[];
}

export function placeOf(projectId: string): Place {
  const ids = [...document.querySelectorAll<HTMLElement>("[data-project]")].map(({ dataset }) => dataset.project ?? "");
  const at = ids.indexOf(projectId);
  return { projectId, neighbours: [...ids.slice(at + 1), ...ids.slice(0, Math.max(at, 0)).reverse()] };
}

/** The header of the nearest row that is left; the page's heading when none is. */
export function headerNear({ neighbours }: Place): HTMLElement | null {
  for (const id of neighbours) {
    const header = document.getElementById(headerId(id));
    if (header) return header;
  }
  return document.querySelector<HTMLElement>("main h1");
}

/** The delete button of that row, as it shows at this width; the nearest row's header when the row has left. */
export function deleteButtonNear(place: Place): HTMLElement | null {
  const buttons = document.querySelectorAll<HTMLElement>(`[data-delete="${CSS.escape(place.projectId)}"]`);
  return [...buttons].find((button) => button.offsetParent !== null) ?? headerNear(place);
}

/** When a row that somebody else deletes takes the focus with it: on to the nearest. */
export function useFocusKept(projects: readonly Project[]): void {
  const place = useRef<Place | null>(null);
  useEffect(() => {
    function follow({ target }: FocusEvent): void {
      const row = target instanceof Element ? target.closest<HTMLElement>("[data-project]") : null;
      place.current = row?.dataset.project === undefined ? null : placeOf(row.dataset.project);
    }
    document.addEventListener("focusin", follow);
    return () => document.removeEventListener("focusin", follow);
  }, []);
  useEffect(() => {
    const left = place.current;
    if (!left || projects.some(({ id }) => id === left.projectId) || document.activeElement !== document.body) return;
    headerNear(left)?.focus();
  }, [projects]);
}
