export const SYSTEM_MESSAGES = {
  backupInProgress: "A backup is already being made. Wait until it is finished.",
  backupAsked: "The backup has been started.",
  backupFailed: "The backup could not be started.",
  testMailFailed: "The test email could not be sent.",
} as const;
