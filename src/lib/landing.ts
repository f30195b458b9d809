import type { AccountType } from "@db/enums";

/** Stands for our own origin, whatever it is: nothing else resolves to it. */
const OWN_ORIGIN = "https://own.invalid";

/** `/task/HBP-3`, or a page with `?task=HBP-3`. */
const TASK = /task.(\w+-\d+)/;

/** Where a shell begins. */
export type Home = "/admin" | "/client" | "/dashboard";

/** Where a person starts. Spec 2, Login. */
export function homeOf(accountType: AccountType): Home {
  if (accountType === "admin") return "/admin";
  return accountType === "client" ? "/client" : "/dashboard";
}

/**
 * Where to go after signing in: the wish, when it is a page of this app that the role may open; else the own dashboard, with the
 * task that the wish names.
 */
export function landingOf(accountType: AccountType, wish: string | undefined): string {
  const path = wish === undefined ? null : ownPath(wish);
  if (path && mayOpen(accountType, path.pathname)) return `${path.pathname}${path.search}${path.hash}`;
  const task = path && TASK.exec(path.href);
  return homeOf(accountType) + (task ? `?task=${task[1]}` : "");
}

function ownPath(wish: string): URL | null {
  if (!/^\/(?![/\\])/.test(wish)) return null;
  try {
    const url = new URL(wish, OWN_ORIGIN);
    return url.origin === OWN_ORIGIN ? url : null;
  } catch {
    return null;
  }
}

function mayOpen(accountType: AccountType, pathname: string): boolean {
  const shell = /^\/(admin|client|dashboard|sign-offs)(?:\/[\w-]+){0,2}$/.exec(pathname)?.[1];
  // Of the others each role has its own; whoever may not see a sign-off is told so there.
  return shell === accountType || shell === "dashboard" || shell === "sign-offs";
}
