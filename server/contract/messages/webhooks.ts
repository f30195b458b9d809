export const WEBHOOK_MESSAGES = {
  notFound: "This webhook no longer exists.",
  notPublic: "Enter an https address that can be reached from the internet.",
  unknownHost: "This host is not known.",
  tooMany: "There are 20 webhooks already. Delete one first.",
} as const;
