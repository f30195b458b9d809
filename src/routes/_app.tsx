import { useIsFetching } from "@tanstack/react-query";
import { createFileRoute, Outlet, type ParsedLocation, redirect, useParams } from "@tanstack/react-router";
import { lazy, Suspense, useDeferredValue, useEffect, useState } from "react";
import { IdentityQuestion } from "@/features/auth/identity-question";
import { useMe } from "@/features/auth/use-auth";
import { messageOutbox } from "@/features/chat/outbox";
import { commentOutbox } from "@/features/comments/outbox";
import { loadOverlays, loadTaskOverlay, preloadForLater } from "@/features/projects/load-overlays";
import { readOverlays } from "@/features/projects/overlay-search";
import { currentDrawing, whenTakenOver } from "@/lib/drawing";
import { requireSession } from "@/lib/guards";
import { useDelivery } from "@/lib/use-delivery";
import { useOpener } from "@/lib/use-opener";
import { whenIdle } from "@/lib/when-idle";
import { ShellSkeleton } from "@/ui/shell-skeleton";

/** Everything behind sign-in, and what lies over any page of it. */
export const Route = createFileRoute("/_app")({
  validateSearch: readOverlays,
  beforeLoad(visit) {
    const session = requireSession(visit);
    const { location, search } = visit;
    if (session.me.accountType === "client" && search.modal !== undefined && search.modal !== "view") {
      // Instead of a form that changes a project, what it changes.
      const modal = search.modal === "create" ? undefined : "view";
      throw redirect({ to: location.pathname, search: (kept) => ({ ...kept, modal }), replace: true });
    }
    return PERHAPS_OLD.test(location.searchStr) ? leaveOldAddress(location).then(() => session) : session;
  },
  pendingComponent: ShellSkeleton,
  component: AppLayout,
});

/** Few come with one: its rules are fetched when they are needed. */
const PERHAPS_OLD = /[?&](view|section|c|client)=/;

async function leaveOldAddress(location: ParsedLocation): Promise<void> {
  const { newAddress } = await import("@/lib/old-addresses");
  const address = newAddress(location);
  if (address !== null) throw redirect({ href: address, replace: true });
}

const ProjectOverlays = lazy(() => loadOverlays().then((module) => ({ default: module.ProjectOverlays })));
const TaskOverlay = lazy(() => loadTaskOverlay().then((module) => ({ default: module.TaskOverlay })));

const LostPicture = lazy(() =>
  import("@/features/settings/lost-picture").then((module) => ({ default: module.LostPicture })),
);

/** What is written on one page is sent from all. */
const MESSAGES = {
  outbox: messageOutbox,
  load: () => import("@/features/chat/use-outbox").then((module) => module.messageDelivery),
};
const COMMENTS = {
  outbox: commentOutbox,
  load: () => import("@/features/comments/discussion").then((module) => module.commentDelivery),
};

function AppLayout() {
  const me = useMe();
  useDelivery(me.id, MESSAGES);
  useDelivery(me.id, COMMENTS);
  return (
    <>
      <Suspense>{me.hasLostPicture && <LostPicture />}</Suspense>
      <Outlet />
      <Overlays />
      <TaskPage />
      <IdentityQuestion />
      <Preload />
    </>
  );
}

/** The panel and the dialogs: fetched when the page has come to rest, mounted with the first that opens. */
function Overlays() {
  const { panel, task, modal, project } = Route.useSearch();
  const [isNeeded, setNeeded] = useState(false);
  if (!isNeeded && (panel || modal)) setNeeded(true);
  // The rows of an open panel are not drawn again while somebody waits for a task to open. When it closes, the focus goes back to
  // the panel, which must not be inert by then.
  const deferredTask = useDeferredValue(task);
  const shownTask = task && deferredTask;
  return (
    isNeeded && (
      <Suspense>
        <ProjectOverlays panel={panel} task={shownTask} modal={modal} project={project} />
      </Suspense>
    )
  );
}

/** The page of a task, over panel and details. */
function TaskPage() {
  const { task, modal } = Route.useSearch();
  const asClientId = useParams({ strict: false, select: ({ clientId }) => clientId });
  const [isNeeded, setNeeded] = useState(false);
  if (!isNeeded && task) setNeeded(true);
  // Here, since the panel below takes the focus from its link before the code of the page has come.
  const opener = useOpener(task !== undefined);
  const isCovered = modal !== undefined && modal !== "view";
  return (
    isNeeded && (
      <Suspense>
        <TaskOverlay task={task} isCovered={isCovered} asClientId={asClientId} opener={opener} />
      </Suspense>
    )
  );
}

/** A skeleton stays for 300 ms, also when the answers are there. A page that the server drew has none. */
const SHOWN_AFTER_MS = 500;

/** What a click may want, once the page can be used: until then the browser is idle now and then, too. */
function Preload() {
  const isReading = useIsFetching() > 0;
  useEffect(() => {
    if (isReading) return undefined;
    let isOver = false;
    const begin = async () => {
      await whenTakenOver();
      await whenIdle(3_000);
      if (!isOver) void preloadForLater();
    };
    const timer = setTimeout(begin, currentDrawing() === null ? SHOWN_AFTER_MS : 0);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [isReading]);
  return null;
}
