import type { CommitView } from "@server/contract/views";

export const COMMIT_VIEW_TITLE = "Commits for the client";

/** A sentence for the whole team. */
export function describeCommitView({ mode, maskedWords }: CommitView): string {
  if (mode === "hidden") return "The client sees nothing of them.";
  if (mode === "counts") return "The client sees how many there were on each day.";
  const masked = maskedWords.length === 1 ? "one word is" : `${maskedWords.length} words are`;
  return `The client sees their titles and texts${maskedWords.length > 0 ? `; ${masked} masked` : ""}.`;
}
