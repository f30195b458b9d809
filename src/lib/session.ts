import type { AccountType } from "@db/enums";
import type { Me } from "@server/contract/views";
import type { QueryClient } from "@tanstack/react-query";
import type { RegisteredRouter } from "@tanstack/react-router";
import { getQueryKey } from "@trpc/react-query";
import { tellOtherTabs } from "./session-channel";
import { type Api, hangUp, trpc } from "./trpc";
import type { Notice } from "./user-message";

/** What every route's guard and loader can reach. */
export interface RouterContext {
  api: Api;
  queryClient: QueryClient;
}

/** Where a person starts. Spec 2, Login. */
export function homeOf(accountType: AccountType): "/admin" | "/client" | "/dashboard" {
  if (accountType === "admin") return "/admin";
  return accountType === "client" ? "/client" : "/dashboard";
}

/** Where to go after signing in: the wish, when it is a page of this app that the role may open; else the own dashboard. */
export function landingOf(accountType: AccountType, wish: string | undefined): string {
  const path = wish === undefined ? null : ownPath(wish);
  return path && mayOpen(accountType, path.pathname) ? `${path.pathname}${path.search}` : homeOf(accountType);
}

/** Somebody signed in here: the cache knows, the other tabs follow. */
export async function beginSession(router: RegisteredRouter, me: Me, wish: string | undefined): Promise<void> {
  const { api } = router.options.context;
  await forget(router);
  api.auth.me.setData(undefined, me);
  tellOtherTabs(me.id);
  await router.navigate({ href: landingOf(me.accountType, wish), replace: true });
}

/**
 * The session is over: to /login, and nothing of what was read stays, also after Back. With a notice it ended by itself,
 * so that signing in again leads back here.
 */
export async function endSession(router: RegisteredRouter, notice?: Notice): Promise<void> {
  const { api } = router.options.context;
  if (notice && api.auth.me.getData() === null) return;
  api.auth.me.setData(undefined, null);
  const { href, pathname } = router.latestLocation;
  const back = notice === "signed-out" && pathname !== "/login" && pathname !== "/signup" ? href : undefined;
  await router.navigate({ to: "/login", search: { notice, redirect: back }, replace: notice !== undefined });
  await forget(router);
}

async function forget(router: RegisteredRouter): Promise<void> {
  const { queryClient } = router.options.context;
  const [me] = queryClient.getQueryCache().findAll({ queryKey: getQueryKey(trpc.auth.me, undefined, "query") });
  await queryClient.cancelQueries({ predicate: (query) => query !== me });
  queryClient.removeQueries({ predicate: (query) => query !== me });
  queryClient.getMutationCache().clear();
  await hangUp();
}

function ownPath(wish: string): URL | null {
  if (!/^\/(?![/\\])/.test(wish)) return null;
  try {
    const url = new URL(wish, location.origin);
    return url.origin === location.origin ? url : null;
  } catch {
    return null;
  }
}

function mayOpen(accountType: AccountType, pathname: string): boolean {
  if (pathname === "/admin") return accountType === "admin";
  if (pathname === "/client") return accountType === "client";
  return pathname === "/dashboard";
}
