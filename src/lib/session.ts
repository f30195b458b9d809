import type { Me } from "@server/contract/views";
import type { QueryClient } from "@tanstack/react-query";
import type { RegisteredRouter } from "@tanstack/react-router";
import { getQueryKey } from "@trpc/react-query";
import { landingOf } from "./landing";
import { tellOtherTabs } from "./session-channel";
import { type Api, hangUp, trpc } from "./trpc";
import type { Notice } from "./user-message";

/** What every route's guard and loader can reach. */
export interface RouterContext {
  api: Api;
  queryClient: QueryClient;
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
