import { createRootRouteWithContext, Outlet, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { SessionInterrupted } from "@/features/auth/session-interrupted";
import { useConnectionLost } from "@/lib/connection";
import { followPage } from "@/lib/page-focus";
import type { RouterContext } from "@/lib/session";
import { announce } from "@/ui/announce";
import { CrashPage } from "@/ui/crash-page";
import { NotFoundPage } from "@/ui/not-found-page";
import { ReconnectingBar } from "@/ui/reconnecting-bar";
import { ToastRegion } from "@/ui/toast-region";

export const Route = createRootRouteWithContext<RouterContext>()({
  component: Root,
  notFoundComponent: NotFoundPage,
  errorComponent: CrashPage,
});

function Root() {
  const router = useRouter();
  const isLost = useConnectionLost();
  useEffect(() => router.subscribe("onRendered", () => followPage(router.state.location.pathname, announce)), [router]);
  return (
    <>
      <ReconnectingBar active={isLost} />
      <Outlet />
      <ToastRegion />
      <SessionInterrupted />
    </>
  );
}
