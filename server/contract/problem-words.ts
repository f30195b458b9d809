import type { RepositoryProblemKind } from "@db/enums";
import { GITHUB_MESSAGES } from "./messages/github";

/** Why a repository could not be read, in words. */
export function problemWords({ kind, status }: { kind: RepositoryProblemKind; status: number | null }): string {
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
