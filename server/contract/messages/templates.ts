export const TEMPLATE_MESSAGES = {
  saved: "Template saved",
  savedHint: "Choose it under + New Project.",
  copied:
    "Copies the tasks, with days counted from the start, and people, labels and checklists. Comments, files, links and commits are not copied.",
  saveFailed: "Failed to save the template. Please try again.",
  notFound: "This template no longer exists.",
  tooMany: "There are 200 templates already. Delete one you no longer need.",
  tooManyTasks: "A template holds at most 500 tasks, and this project has more.",
  ownOnly: "Only admins and the person who saved this template can delete it.",
  outOfRange: "With this start date, a due date is not between 2000 and 2100.",
  empty: "There are no templates yet. Save one from a project's details.",
  confirmDelete: "Are you sure you want to delete this template? Projects made from it stay.",
  deleteFailed: "Failed to delete the template. Please try again.",
  duplicateFailed: "Failed to duplicate project. Please try again.",
  leftOut: (names: readonly string[]) => `Left out because they are not active: ${names.join(", ")}.`,
} as const;
