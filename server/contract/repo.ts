import * as z from "zod/mini";
import { isWebUrl } from "./text";

const OWNER = /^[A-Za-z0-9](?:[A-Za-z0-9]|-(?=[A-Za-z0-9])){0,38}$/;
const NAME = /^[A-Za-z0-9._-]{1,100}$/;
const SHORT = /^([A-Za-z0-9-]+)\/([A-Za-z0-9._-]+)$/;
const SSH = /^git@github\.com:([A-Za-z0-9-]+)\/([A-Za-z0-9._-]+?)(?:\.git)?\/?$/;

/**
 * The repository that a link names, or null when it names none on github.com: look-alike hosts, user info, ports,
 * dot segments and encoded slashes are no repositories. Only what this accepts is ever fetched (access.md, Input).
 */
export function parseRepo(link: string): { owner: string; name: string } | null {
  const match = /^https:\/\/github\.com\/([^/?#]+)\/([^/?#]+)((?:\/[^?#]*)?)(?:[?#].*)?$/i.exec(link);
  const [, owner = "", rawName = "", path = ""] = match ?? [];
  const name = rawName.replace(/\.git$/i, "");
  if (!OWNER.test(owner) || !NAME.test(name) || /^\.+$/.test(name)) return null;
  if (path.split("/").some((segment) => segment === "." || segment === "..") || /%2f|%5c|\\/i.test(path)) return null;
  return { owner, name };
}

/** `owner/repo` and `git@github.com:owner/repo.git` as https links; anything else unchanged. */
export function completeRepoLink(text: string): string {
  const [, owner, name] = SSH.exec(text) ?? SHORT.exec(text) ?? [];
  return owner && name && OWNER.test(owner) ? `https://github.com/${owner}/${name.replace(/\.git$/i, "")}` : text;
}

/** An absolute http(s) link to a repository; short and ssh forms are rewritten to https. */
export const repoLinkSchema = z
  .string({ error: "Enter a full URL, such as https://github.com/owner/repo" })
  .check(
    z.trim(),
    z.overwrite(completeRepoLink),
    z.refine(isWebUrl, { error: "Enter a full URL, such as https://github.com/owner/repo" }),
  );

/** An absolute http(s) link. */
export const webLinkSchema = z
  .string({ error: "Enter a full URL, such as https://example.com" })
  .check(z.trim(), z.refine(isWebUrl, { error: "Enter a full URL, such as https://example.com" }));
