import { COMMIT_MODES } from "@db/client-enums";
import * as z from "zod/mini";
import { COMMIT_VIEW_MESSAGES } from "./messages/commit-view";
import { lineSchema } from "./text";

const MAX_MASKED = 100;

/** What the client of a project sees of its commits: for managers and admins to set. Words are kept once, whatever their case. */
export const commitViewSchema = z.strictObject({
  mode: z.enum(COMMIT_MODES, { error: COMMIT_VIEW_MESSAGES.modeMissing }),
  maskedWords: z.pipe(
    z
      .array(lineSchema({ max: 60, required: COMMIT_VIEW_MESSAGES.maskedWordMissing, label: "A masked word" }))
      .check(z.maxLength(MAX_MASKED, { error: COMMIT_VIEW_MESSAGES.tooManyMasked })),
    z.transform(distinctOf),
  ),
});

function distinctOf(words: string[]): string[] {
  return [...new Map(words.map((word) => [word.normalize("NFC").toLowerCase(), word])).values()];
}
