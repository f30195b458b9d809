import type { AccountStatus } from "@db/enums";

export const INVITATION_MESSAGES = {
  sent: (name: string) => `An invitation is on its way to ${name}.`,
  sendFailed: "The invitation could not be sent. Please try again.",
  resent: "A new link is on its way.",
  withdrawn: "The invitation has been withdrawn.",
  withdrawFailed: "The invitation could not be withdrawn. Please try again.",
  confirmWithdraw: "The link in the email stops working. You can invite the same address again.",
  notFound: "This invitation has already been accepted or withdrawn.",
  alreadyInvited: "This address has an open invitation. Resend or withdraw it under Invitations.",
  imported: 'This person was imported. Choose "Send invitation" in the menu beside their name.',
  canSignIn: "This person can already log in.",
  notActive: (status: AccountStatus) => `This account is ${status}. Reactivate it first.`,
  projectGone: "One of the chosen projects no longer exists. Choose again.",
  noRoom: (titles: string) => `These projects already have as many client people as possible: ${titles}.`,
} as const;

/** Why an address can't be invited, by the status of its account. */
export const KNOWN_ADDRESS: Record<AccountStatus, string> = {
  pending: "Someone has signed up with this email and is waiting for approval. Approve that account instead.",
  active: "There is already an account with this email.",
  inactive: "There is an inactive account with this email. Reactivate it instead.",
  rejected: "There is a rejected account with this email. Reactivate it instead.",
};
