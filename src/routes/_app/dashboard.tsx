import type { AccountType } from "@db/enums";
import { CHAT_MESSAGES } from "@server/contract/messages/chat";
import { createFileRoute, Link, Outlet } from "@tanstack/react-router";
import { LayoutDashboard, Search, Shield } from "lucide-react";
import { useCallback, useMemo, useRef, useState } from "react";
import { useMe } from "@/features/auth/use-auth";
import { useChatFrame } from "@/features/chat/use-chat-frame";
import { useInbox } from "@/features/chat/use-inbox";
import { BoardTextContext, readSearchText } from "@/features/projects/board-search";
import { NewProjectButton } from "@/features/projects/new-project-button";
import { useOverlays } from "@/features/projects/use-overlays";
import { useProjectChanges, useProjects } from "@/features/projects/use-projects";
import { useRequestChanges, useRequestCounts } from "@/features/requests/use-requests";
import { PALETTE_LABEL } from "@/features/search/palette-label";
import { projectListQuery } from "@/lib/project-list";
import { useAddressText } from "@/lib/use-address-text";
import { usePage } from "@/lib/use-page";
import { usePageSearch } from "@/lib/use-page-search";
import { AppShell } from "@/ui/app-shell";
import { MoreItem } from "@/ui/more-item";
import type { MoreEntry } from "@/ui/more-sheet";
import { BottomBarItem, NavItem } from "@/ui/nav-item";
import { SidebarToggle } from "@/ui/sidebar-toggle";
import { BrandLink, PageLink } from "../-page-link";
import { useShellOverlays } from "./-shell-overlays";
import { DashboardHeader } from "./dashboard/-header";
import {
  type DashboardPage,
  type DashboardReader,
  MESSAGES,
  pagesFor,
  pagesOnPhone,
  REQUESTS,
  searchChanges,
  useEnterDashboardPage,
} from "./dashboard/-pages";
import { useBoardKeys } from "./dashboard/-use-keys";

export const Route = createFileRoute("/_app/dashboard")({
  validateSearch: readSearchText,
  // Fetched in parallel with the page's code. The page shows its own loading and error states and keeps the list up to date.
  loader: ({ context }) => void context.queryClient.prefetchQuery(projectListQuery(context.client, "mine")),
  component: DashboardShell,
});

/** The shell of /dashboard: sidebar, search, and on a phone the bottom bar. Design 3.3. */
function DashboardShell() {
  const me = useMe();
  const isTeam = me.accountType !== "client";
  const page = usePage();
  const { openModal } = useOverlays();
  const { isRefetching, data } = useProjects({ scope: "mine" });
  const manages = data?.items.some(({ managers }) => managers.includes(me.id)) ?? false;
  useProjectChanges();
  useRequestChanges({ enabled: manages });
  // Of the first answers, in which nobody knows yet who manages: what comes later draws the whole frame again.
  const requests = useRequestCounts({ enabled: isTeam })?.new ?? 0;
  const reader = useMemo(() => ({ accountType: me.accountType, manages }), [me.accountType, manages]);
  const pages = useMemo(() => pagesFor(reader), [reader]);
  const { openPalette, openHelp, overlays } = useShellOverlays({
    home: "/dashboard",
    pages,
    enter: useEnterDashboardPage(),
  });
  const { isShown, main, isWhole } = useChatFrame();
  const unread = useInbox({ isOpen: isShown, enabled: isTeam });
  const search = useSearchText();
  const [text, setText] = search.board;
  const header = useRef<{ focusSearch: () => void }>(null);
  // Clients have their own start page.
  const brand = <BrandLink to={isTeam ? "/dashboard" : "/client"} />;
  const create = isTeam ? () => openModal("create") : undefined;
  useBoardKeys({ focusSearch: () => header.current?.focusSearch() });
  return (
    <AppShell
      brand={brand}
      nav={pages.map((one) => <NavItem key={one.to} {...entryOf(one, { unread, requests, page })} />)}
      navFooter={
        <>
          {!isTeam && <NavItem {...CLIENT_DASHBOARD} />}
          <SidebarToggle shortcut="[" />
        </>
      }
      main={main}
      bottomBar={!isWhole && <BottomBar reader={reader} unread={unread} requests={requests} onPalette={openPalette} />}
      header={
        !isWhole && (
          <DashboardHeader
            ref={header}
            me={me}
            brand={brand}
            text={text}
            onTextChange={setText}
            onSubmit={search.submit}
            placeholder={page === "/dashboard/team" ? "Search people" : "Search projects"}
            newProject={
              create &&
              (page === "/dashboard/" || page === "/dashboard/overview") && <NewProjectButton onClick={create} />
            }
            onPalette={openPalette}
            onHelp={openHelp}
          />
        )
      }
      refreshing={page === "/dashboard/" && isRefetching}
    >
      <BoardTextContext value={search.board}>
        <Outlet />
      </BoardTextContext>
      {overlays}
    </AppShell>
  );
}

/**
 * The text of the search box. On the board and on Team it filters as one types, and the address follows 200 ms after the last
 * key. On other pages Enter searches the board.
 */
function useSearchText() {
  const [{ q = "" }, change] = usePageSearch(Route);
  const page = usePage();
  const enter = useEnterDashboardPage();
  const isHere = page === "/dashboard/" || page === "/dashboard/team";
  const write = useCallback(
    (q: string) => {
      if (isHere) change.replace({ q });
    },
    [isHere, change],
  );
  const inAddress = isHere ? q : "";
  const [text, setText] = useAddressText(inAddress, write);
  const [shownPage, setShownPage] = useState(page);
  if (page !== shownPage) {
    setShownPage(page);
    setText(inAddress);
  }
  const submit = () => {
    if (!isHere && text.trim()) enter("/dashboard", { q: text.trim() });
  };
  return { board: useMemo((): [string, (text: string) => void] => [text, setText], [text, setText]), submit };
}

type EntryOptions = { unread: number; requests: number; page: string | undefined };

function entryOf({ to, icon, label }: DashboardPage, { unread, requests, page }: EntryOptions) {
  return {
    icon,
    label,
    ...(to === MESSAGES && { count: unread, countLabel: CHAT_MESSAGES.unread(unread) }),
    ...(to === REQUESTS && { count: requests, countLabel: `${requests} new` }),
    render: <PageLink to={to} changes={searchChanges(to, page)} />,
  };
}

const CLIENT_DASHBOARD = { icon: LayoutDashboard, label: "Client Dashboard", render: <Link to="/client" /> };
const OTHER_DASHBOARDS: Record<AccountType, MoreEntry[]> = {
  admin: [{ icon: Shield, label: "Admin Dashboard", render: <Link to="/admin" /> }],
  client: [CLIENT_DASHBOARD],
  user: [],
};

type BottomBarProps = { reader: DashboardReader; onPalette: () => void } & Pick<EntryOptions, "unread" | "requests">;

function BottomBar({ reader, unread, requests, onPalette }: BottomBarProps) {
  const page = usePage();
  const { bar, more } = pagesOnPhone(reader);
  const isBelow = (page: string) => more.some(({ to }) => to === page);
  const messages = isBelow(MESSAGES) ? unread : 0;
  const fresh = isBelow(REQUESTS) ? requests : 0;
  return (
    <>
      {bar.map((one) => (
        <BottomBarItem key={one.to} {...entryOf(one, { unread, requests, page })} />
      ))}
      <MoreItem
        count={messages + fresh}
        countLabel={fresh > 0 ? `${messages + fresh} new` : CHAT_MESSAGES.unread(messages)}
        active={more.some(({ to }) => to === page)}
        entries={[
          {
            icon: Search,
            label: PALETTE_LABEL,
            render: <button type="button" aria-haspopup="dialog" onClick={onPalette} />,
          },
          ...more.map((one) => entryOf(one, { unread, requests, page })),
          ...OTHER_DASHBOARDS[reader.accountType],
        ]}
      />
    </>
  );
}
