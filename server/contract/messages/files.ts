export const FILE_MESSAGES = {
  notFound: "This file is not available to you, or it no longer exists.",
  nameRequired: "The file needs a name.",
  tooLarge: "A file may have at most 25 MB.",
  tooMany: "At most 10 files at a time.",
  quotaExceeded: "There is no room for more files. Ask an admin to make some.",
  interrupted: "The upload was interrupted. Please try again.",
  notAttachable: "Upload the files again: one of them is gone, or was not uploaded by you.",
  alreadyAttached: "One of the files is attached to something already. Upload it again.",
  goesWithItsText: "This file belongs to a comment or a message, and cannot be removed from it.",
  notYours: "Only whoever uploaded a file, or an admin, can remove it.",
  readOnly: "You can read this project, but not add files to it.",
} as const;
