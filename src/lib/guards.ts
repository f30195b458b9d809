import type { Me } from "@server/contract/views";
import { redirect } from "@tanstack/react-router";
import { type Home, homeOf, landingOf } from "./landing";
import type { RouterContext } from "./session";

interface Visit {
  context: RouterContext;
  location: { href: string };
}

interface SignedInVisit {
  context: { me: Me };
}

/*
 * For `beforeLoad`. The sign-in state is in the cache before the first route runs (main.tsx), so that these answer at once:
 * no page, chunk or call of a screen that is not the visitor's. A courtesy: the server decides for itself.
 */

/** Anyone signed in. Becomes `me` of the route's context. */
export function requireSession({ context, location }: Visit): { me: Me } {
  const me = context.api.auth.me.getData();
  if (!me) throw redirect({ to: "/login", search: { redirect: location.href }, replace: true });
  if (me.mustSetUpTwoFactor) throw redirect({ to: "/two-factor", search: { redirect: location.href }, replace: true });
  return { me };
}

/** /two-factor: whoever has to set it up before anything else; others to where they were going. */
export function requireMissingTwoFactor({
  context,
  search,
}: {
  context: RouterContext;
  search: { redirect?: string | undefined };
}): { me: Me } {
  const me = context.api.auth.me.getData();
  if (!me) throw redirect({ to: "/login", search, replace: true });
  if (!me.mustSetUpTwoFactor) throw redirect({ href: landingOf(me.accountType, search.redirect), replace: true });
  return { me };
}

/** /admin: admins; others to /dashboard. Spec 6. */
export function requireAdmin({ context: { me } }: SignedInVisit): void {
  if (me.accountType !== "admin") throw sendTo("/dashboard");
}

/** /client: clients; admins to /admin, others to /dashboard. Spec 6. */
export function requireClient({ context: { me } }: SignedInVisit): void {
  if (me.accountType !== "client") throw sendTo(homeOf(me.accountType));
}

/** Pages of /dashboard that clients do not have: they are sent to the board, with the rest of the address. */
export function requireStaff({ context: { me } }: SignedInVisit): void {
  if (me.accountType === "client") throw redirect({ to: "/dashboard", search: true, replace: true });
}

/** /login and /signup: whoever is signed in goes on, to what was asked for or to the own dashboard. */
export function requireSignedOut({
  context,
  search,
}: {
  context: RouterContext;
  search: { redirect?: string | undefined };
}): void {
  const me = context.api.auth.me.getData();
  if (me) throw redirect({ href: landingOf(me.accountType, search.redirect), replace: true });
}

/** To the first page of another shell, with the task that a link leads to: it lies over any page. */
function sendTo(to: Home) {
  return redirect({ to, search: ({ task }) => ({ task }) });
}
