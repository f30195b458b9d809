import * as z from "zod/mini";
import { webUrl } from "./links";
import { GITHUB_MESSAGES } from "./messages/github";
import { isOwnerName } from "./repo-name";
import { describeSchema } from "./text";

const SHORT = /^([A-Za-z0-9-]+)\/([A-Za-z0-9._-]+)$/;
const SSH = /^git@github\.com:([A-Za-z0-9-]+)\/([A-Za-z0-9._-]+?)(?:\.git)?\/?$/;

/** An account or organisation on GitHub, lower-cased: names are compared without case. */
export const ownerSchema = describeSchema(
  z.string({ error: GITHUB_MESSAGES.ownerMisshapen }).check(
    z.trim(),
    z.refine((text) => isOwnerName(text), { error: GITHUB_MESSAGES.ownerMisshapen }),
    z.toLowerCase(),
  ),
  { description: "Up to 39 letters, digits and single hyphens within." },
);

/** `owner/repo` and `git@github.com:owner/repo.git` as https links; anything else unchanged. */
export function completeRepoLink(text: string): string {
  const [, owner, name] = SSH.exec(text) ?? SHORT.exec(text) ?? [];
  return owner && name && isOwnerName(owner) ? `https://github.com/${owner}/${name.replace(/\.git$/i, "")}` : text;
}

/** An absolute http(s) link to a repository; short and ssh forms are rewritten to https. */
export const repoLinkSchema = describeSchema(
  z
    .string({ error: "Enter a full URL, such as https://github.com/owner/repo" })
    .check(z.trim(), z.overwrite(completeRepoLink), webUrl("https://github.com/owner/repo")),
  {
    maxLength: 2048,
    description: "A link that begins with http:// or https://, `owner/repo`, or git@github.com:owner/repo.",
  },
);
