export const TASK_MESSAGES = {
  required: "Please fill in all required fields for the task.",
  addFailed: "Failed to add task. Please try again.",
  deleteFailed: "Failed to delete task. Please try again.",
  updateFailed: "Failed to update task. Please try again.",
  confirmDelete: "Are you sure you want to delete this task?",
  emptyPanel: "No tasks found for this project",
  emptyModal: "No tasks added to this project yet.",
  notFound: "This task is not available to you, or it no longer exists.",
  stale: "Someone else changed this task since you opened it.",
  itemRequired: "Enter what needs to be done.",
  notAKey: "This is not a task key, such as HBP-12.",
  notAssignable: "Choose people on this project, or admins.",
} as const;
