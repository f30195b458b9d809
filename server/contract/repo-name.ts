/* Without schemas: pages that only show a link do without the code that checks forms. */

const OWNER = /^[A-Za-z0-9](?:[A-Za-z0-9]|-(?=[A-Za-z0-9])){0,38}$/;
const NAME = /^[A-Za-z0-9._-]{1,100}$/;

/**
 * The repository that a link names, or null when it names none on github.com: look-alike hosts, user info, ports,
 * dot segments and encoded slashes are no repositories. Only what this accepts is ever fetched (access.md, Input).
 */
export function parseRepo(link: string): { owner: string; name: string } | null {
  const match = /^https:\/\/github\.com\/([^/?#]+)\/([^/?#]+)((?:\/[^?#]*)?)(?:[?#].*)?$/i.exec(link);
  const [, owner = "", rawName = "", path = ""] = match ?? [];
  const name = rawName.replace(/\.git$/i, "");
  if (!isOwnerName(owner) || !NAME.test(name) || /^\.+$/.test(name)) return null;
  if (path.split("/").some((segment) => segment === "." || segment === "..") || /%2f|%5c|\\/i.test(path)) return null;
  return { owner, name };
}

/** Whether an account or organisation on GitHub can be called so. */
export function isOwnerName(text: string): boolean {
  return OWNER.test(text);
}
