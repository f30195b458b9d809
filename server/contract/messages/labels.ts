export const LABEL_MESSAGES = {
  required: "Enter a name.",
  notFound: "This label no longer exists.",
  unknown: "Choose labels from the list.",
  exists: "There is already a label with this name.",
  tooMany: "There are 200 labels already. Delete one you no longer need.",
  createFailed: "Failed to create label. Please try again.",
} as const;
