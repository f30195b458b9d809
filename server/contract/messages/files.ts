export const FILE_MESSAGES = {
  notFound: "This file is not available to you, or it no longer exists.",
  nameRequired: "The file needs a name.",
  tooLarge: "A file can be at most 25 MB.",
  tooMany: "Attach at most 10 files at a time.",
  quotaExceeded: "There is no room for more files. Ask an admin to free up space.",
  tooManyUnattached:
    "You have uploaded 100 files or 500 MB that are not sent or attached yet. Send them first, or try again tomorrow.",
  interrupted: "The upload was interrupted. Please try again.",
  notAttachable: "Upload the files again: one of them is gone, or someone else uploaded it.",
  alreadyAttached: "One of the files is already attached to something. Upload it again.",
  goesWithItsText: "This file belongs to a comment, a message or a request and can't be removed from it.",
  notYours: "Only the person who uploaded a file, or an admin, can remove it.",
  readOnly: "You can read this project, but not add files to it.",
} as const;
