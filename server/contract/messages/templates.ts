export const TEMPLATE_MESSAGES = {
  saved: "Template saved",
  savedHint: "Choose it under + New Project.",
  copied:
    "Tasks with their days, counted from the start, people, labels and checklists. Comments, files, links and commits stay with the first one.",
  saveFailed: "Failed to save the template. Please try again.",
  notFound: "This template no longer exists.",
  tooMany: "There are 200 templates already. Delete one you no longer need.",
  tooManyTasks: "A template holds at most 500 tasks, and this project has more.",
  ownOnly: "Only who saved this template and admins can delete it.",
  outOfRange: "With this start a due date is not between 2000 and 2100.",
  empty: "There are no templates yet. A project's details save one.",
  confirmDelete: "Are you sure you want to delete this template? Projects made of it stay.",
  deleteFailed: "Failed to delete the template. Please try again.",
  duplicateFailed: "Failed to duplicate project. Please try again.",
  leftOut: (names: readonly string[]) => `Left out, as they are not active: ${names.join(", ")}.`,
} as const;
