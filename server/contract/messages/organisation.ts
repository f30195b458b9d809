export const ORGANISATION_MESSAGES = {
  saved: "Settings saved.",
  saveFailed: "The settings could not be saved.",
  setUpFirst: "Set up your own two-factor sign-in first, so that you are not locked out.",
  timeZone: "Choose a time zone from the list.",
  time: "Enter a time such as 09:00.",
  order: "The end must be after the start.",
  days: "Choose at least one day.",
  holidays: "Enter at most 400 holidays.",
} as const;
