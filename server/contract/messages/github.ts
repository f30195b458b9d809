import type { RepositoryProblemKind } from "@db/enums";

export const GITHUB_MESSAGES = {
  noCommits: "No commits found. Make sure projects have valid GitHub repositories.",
  noCommitsForClient: "No commits found in any repository. Check repository access permissions.",
  noRepositories: "No repository commits found. Make sure your projects have linked repositories.",
  loadFailed: (message: string) => `Failed to load repository data: ${message}`,
  repositoryNotFound: "Repository not found",
  authenticationFailed: "Authentication failed",
  rateLimited: "GitHub has had too many requests. It is asked again as soon as it allows",
  unreadable: "GitHub's answer could not be read",
  failedWith: (status: number) => `GitHub answered with status ${status}`,
  noAnswer: "GitHub did not answer",
  received: "Received.",
  unsigned: "The signature of this call is missing or wrong.",
  notARepository: "This link names no repository on GitHub.",
  refreshFailed: "Failed to refresh activity. Please try again.",
  tokenRequired: "Please enter a token.",
  tokenMisshapen: "A token has 8 to 255 letters, digits and signs, without spaces.",
  tokenRefused: "GitHub does not accept this token.",
  tokenUnchecked: "GitHub could not be asked about this token. Please try again.",
  tokenUnreadable: "The token cannot be decrypted any more. Please enter it again.",
  ownersRequired: "Enter at least one account or organisation.",
  ownerMisshapen: "Enter names of GitHub accounts or organisations, such as sangam-software.",
  tooManyOwners: "At most 50 accounts and organisations.",
  tokenSaved: "The repository token has been saved.",
  ownersSaved: "The accounts and organisations have been saved.",
  tokenSaveFailed: "Failed to save the repository token. Please try again.",
  tokenRemoved: "The repository token has been removed.",
  tokenRemoveFailed: "Failed to remove the repository token. Please try again.",
  confirmRemoveToken:
    "Are you sure you want to remove the repository token? Commits that were read with it are no longer shown.",
} as const;

/** Says why a repository could not be read. `status` is that of GitHub's answer; null without one. */
export function describeProblem({ kind, status }: { kind: RepositoryProblemKind; status: number | null }): string {
  switch (kind) {
    case "not-found":
      return GITHUB_MESSAGES.repositoryNotFound;
    case "auth":
      return GITHUB_MESSAGES.authenticationFailed;
    case "rate-limit":
      return GITHUB_MESSAGES.rateLimited;
    case "other":
      if (status === 200) return GITHUB_MESSAGES.unreadable;
      return status === null ? GITHUB_MESSAGES.noAnswer : GITHUB_MESSAGES.failedWith(status);
  }
}
