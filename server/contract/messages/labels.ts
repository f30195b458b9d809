export const LABEL_MESSAGES = {
  required: "Enter a name.",
  notFound: "This label no longer exists.",
  unknown: "Choose labels from the list.",
  exists: "There is already a label with this name.",
  tooMany: "There are 200 labels already. Delete one you no longer need.",
  confirmDelete: "Are you sure you want to delete this label?",
  onTasks: (count: number | undefined) =>
    count === undefined
      ? "It is removed from every task."
      : count === 0
        ? "No task has it."
        : count === 1
          ? "It is removed from the task that has it."
          : `It is removed from the ${count} tasks that have it.`,
  createFailed: "Failed to create label. Please try again.",
} as const;
