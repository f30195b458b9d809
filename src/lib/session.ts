import type { Me } from "@server/contract/views";
import type { QueryClient } from "@tanstack/react-query";
import type { RegisteredRouter } from "@tanstack/react-router";
import { getQueryKey } from "@trpc/react-query";
import { useSyncExternalStore } from "react";
import { toast } from "@/ui/toast";
import { landingOf } from "./landing";
import { notifyOtherTabs } from "./session-channel";
import { createStore } from "./store";
import { type Api, type Client, disconnect, reconnect, trpc } from "./trpc";
import { hasUnsavedForms } from "./unsaved-forms";
import type { Notice, SessionEnd } from "./user-message";

/** What every route's guard and loader can reach. */
export interface RouterContext {
  api: Api;
  client: Client;
  queryClient: QueryClient;
}

/** Pages without a session. */
const AUTH_PAGES: ReadonlySet<string> = new Set([
  "/login",
  "/signup",
  "/reset-password",
  "/confirm-email",
  "/invitation",
]);

/** A reload would lose the link's token, which is no longer in the address. */
const HOLDS_TOKEN: ReadonlySet<string> = new Set(["/reset-password", "/invitation"]);

let ending: Promise<void> | null = null;
/** Somebody is signing out: that streams end first is expected. */
let isLeaving = false;
/** Whose session ended while a form was unsaved: they may sign in again in place. */
let interrupted: Me | null = null;
const interruptedStore = createStore();

/** Notifies when a session begins or ends: what still goes on for the person before has to stop. */
export const sessionChanges = createStore();

/** Whether the path is open to people who are signed out. */
export function isAuthPage(pathname: string): boolean {
  return AUTH_PAGES.has(pathname.replace(/\/$/, ""));
}

/** Who is asked to sign in again over the page; null for nobody. */
export function useInterrupted(): Me | null {
  return useSyncExternalStore(
    interruptedStore.subscribe,
    () => interrupted,
    () => null,
  );
}

/** Somebody signed in here: the cache knows, the other tabs follow. */
export async function beginSession(router: RegisteredRouter, me: Me, wish: string | undefined): Promise<void> {
  const { api } = router.options.context;
  setInterrupted(null);
  await forget(router);
  api.auth.me.setData(undefined, me);
  notifyOtherTabs(me.id);
  await router.navigate({ href: landingOf(me.accountType, wish), replace: true, ignoreBlocker: true });
}

/**
 * The session is over: to /login, and nothing of what was read stays, also after Back. With a notice it ended by itself, so
 * that signing in again leads back here.
 */
export function endSession(router: RegisteredRouter, notice?: Notice): Promise<void> {
  ending ??= end(router, notice).finally(() => {
    ending = null;
  });
  return ending;
}

/** Around a sign-out by hand, until it has been carried out or has failed. */
export function setLeaving(next: boolean): void {
  isLeaving = next;
}

/** Once the end of a session that is under way, if one is, has been carried out. */
export async function whenEnded(): Promise<void> {
  await ending;
}

/**
 * The server says that the session is over. When it has run out under words that are typed and not sent, they stay, and
 * their person is asked to sign in again in place: true. An account that may not sign in any more leaves at once.
 */
export function handleEnd(router: RegisteredRouter, reason: SessionEnd): boolean {
  const me = router.options.context.api.auth.me.getData();
  if (me === null || ending || isLeaving) return false;
  if (me && reason === "signed-out" && (interrupted || hasUnsavedForms())) {
    setInterrupted(me);
    return true;
  }
  void endSession(router, reason);
  return false;
}

/** Signed in again in place. The same person goes on where they were; somebody else, or in another role, starts anew. */
export async function resumeSession(router: RegisteredRouter, user: Me): Promise<void> {
  const { api, queryClient } = router.options.context;
  if (user.id !== interrupted?.id || user.accountType !== interrupted.accountType) {
    await beginSession(router, user, undefined);
    return;
  }
  api.auth.me.setData(undefined, user);
  setInterrupted(null);
  notifyOtherTabs(user.id);
  await reconnect();
  await queryClient.invalidateQueries();
}

/** Another tab of this browser signed in or out; null for out. */
export async function followOtherTab(router: RegisteredRouter, userId: string | null): Promise<void> {
  const { api } = router.options.context;
  if (interrupted && userId === interrupted.id) {
    const user = await api.auth.me.fetch(undefined, { staleTime: 0 }).catch(() => null);
    if (user && interrupted) await resumeSession(router, user);
    return;
  }
  const me = api.auth.me.getData();
  // Not known here yet: the answer on its way is about the same cookie.
  if (me === undefined) return;
  const known = me?.id ?? null;
  if (known === userId) return;
  if (userId === null) return endSession(router, "signed-out");
  const { pathname } = router.latestLocation;
  if (known === null && (hasUnsavedForms() || HOLDS_TOKEN.has(pathname))) return;
  // Somebody else's cookie is in this browser now: nothing of the page may stay.
  if (known !== null) await endSession(router);
  location.reload();
}

async function end(router: RegisteredRouter, notice: Notice | undefined): Promise<void> {
  const { api } = router.options.context;
  const { href, pathname } = router.latestLocation;
  setLeaving(false);
  setInterrupted(null);
  // Toasts may show what only the previous person may see.
  toast.clear();
  await api.auth.me.cancel();
  api.auth.me.setData(undefined, null);
  if (!isAuthPage(pathname) || notice === "reset") {
    const back = notice === "signed-out" ? href : undefined;
    const search = { notice, redirect: back };
    // An unsaved form must not block this navigation: the page would keep showing private content.
    await router.navigate({ to: "/login", search, replace: notice !== undefined, ignoreBlocker: true });
  }
  await forget(router);
}

async function forget(router: RegisteredRouter): Promise<void> {
  sessionChanges.emit();
  const { queryClient } = router.options.context;
  const [me] = queryClient.getQueryCache().findAll({ queryKey: getQueryKey(trpc.auth.me, undefined, "query") });
  await queryClient.cancelQueries({ predicate: (query) => query !== me });
  queryClient.removeQueries({ predicate: (query) => query !== me });
  queryClient.getMutationCache().clear();
  await disconnect();
}

function setInterrupted(next: Me | null): void {
  if (interrupted === next) return;
  interrupted = next;
  interruptedStore.emit();
}
