import { choice, id, optional, type RawSearch } from "@/lib/search";

export const TASK_KEY = /^\w+-\d+$/;
const MODALS = ["create", "view", "edit", "duplicate"] as const;

export type ProjectModal = (typeof MODALS)[number];
/** The panel, the task and the dialogs that an address opens over any page; a missing key means closed. */
export type OverlaySearch = ReturnType<typeof readOverlays>;

/**
 * `?panel=<project>` opens the tasks panel, `?task=HBP-3` the page of a task, `?modal=view&project=` a dialog about a project,
 * `?modal=create` the form for a new one, `?modal=duplicate&project=` what a copy of one is called. Invalid values and a modal without its project are dropped. The first release named a
 * task by its id, beside its project's panel: `useTaskOfOldAddress` finds its key.
 */
export function readOverlays(search: RawSearch) {
  const modal = choice(search.modal, MODALS);
  const project = id(search.project);
  const panel = id(search.panel);
  const isOpen = modal === "create" || project !== undefined;
  return optional({
    panel,
    task: TASK_KEY.exec(String(search.task))?.[0] ?? (panel && id(search.task)),
    modal: isOpen ? modal : undefined,
    project: isOpen && modal !== "create" && modal ? project : undefined,
  });
}

/** For links to another page: closes whatever is open over this one. */
export const NO_OVERLAYS = {
  panel: undefined,
  task: undefined,
  modal: undefined,
  project: undefined,
  writing: undefined,
};
