import type { RepositoryProblemKind } from "@db/enums";
import { MESSAGES } from "./messages";

/** Why a repository could not be read, in words. */
export function problemWords({ kind, status }: { kind: RepositoryProblemKind; status: number | null }): string {
  switch (kind) {
    case "not-found":
      return MESSAGES.github.repositoryNotFound;
    case "auth":
      return MESSAGES.github.authenticationFailed;
    case "rate-limit":
      return MESSAGES.github.rateLimited;
    case "other":
      if (status === 200) return MESSAGES.github.unreadable;
      return status === null ? MESSAGES.github.noAnswer : MESSAGES.github.failedWith(status);
  }
}
