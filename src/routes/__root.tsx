import { createRootRouteWithContext, Outlet, useRouter } from "@tanstack/react-router";
import { lazy, Suspense, useEffect } from "react";
import { SessionInterrupted } from "@/features/auth/session-interrupted";
import { followPage } from "@/lib/page-focus";
import type { RouterContext } from "@/lib/session";
import { announce } from "@/ui/announce";
import { CrashPage } from "@/ui/crash-page";
import { ToastRegion } from "@/ui/toast-region";

// Not shown where somebody signs in, whose code has to be small.
const NotFoundPage = lazy(() => import("@/ui/not-found-page").then((module) => ({ default: module.NotFoundPage })));

export const Route = createRootRouteWithContext<RouterContext>()({
  component: Root,
  notFoundComponent: NotFound,
  errorComponent: CrashPage,
});

function Root() {
  const router = useRouter();
  useEffect(() => {
    const follow = () => followPage(router.state.matches.at(-1)?.routeId, announce);
    // A page whose document carried its answers was ready before anybody could listen.
    if (router.state.matches.every(({ status }) => status === "success")) follow();
    return router.subscribe("onRendered", follow);
  }, [router]);
  return (
    <>
      <Outlet />
      <ToastRegion />
      <SessionInterrupted />
    </>
  );
}

function NotFound() {
  return (
    <Suspense>
      <NotFoundPage />
    </Suspense>
  );
}
