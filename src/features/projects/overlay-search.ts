import { choice, id, optional, type RawSearch } from "@/lib/search";

const MODALS = ["create", "view", "edit"] as const;

export type ProjectModal = (typeof MODALS)[number];
/** The panel and dialogs that an address opens over any page; a missing key means closed. */
export type OverlaySearch = ReturnType<typeof readOverlays>;

/**
 * `?panel=<project>&task=` opens the tasks panel, `?modal=view&project=` a dialog about a project, `?modal=create` the form for a
 * new one. Invalid values, a modal without its project and a task without its panel are dropped.
 */
export function readOverlays(search: RawSearch) {
  const modal = choice(search.modal, MODALS);
  const project = id(search.project);
  const panel = id(search.panel);
  const isOpen = modal === "create" || project !== undefined;
  return optional({
    panel,
    task: panel ? id(search.task) : undefined,
    modal: isOpen ? modal : undefined,
    project: isOpen && modal !== "create" && modal ? project : undefined,
  });
}

/** For links to another page: closes panel and dialogs. */
export const NO_OVERLAYS = { panel: undefined, task: undefined, modal: undefined, project: undefined };
