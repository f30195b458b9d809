import type { Project } from "@server/contract/views";
import { useRef, useState } from "react";
import { useMe } from "@/features/auth/use-auth";
import { useChatFrame } from "@/features/chat/use-chat-frame";
import { useInbox } from "@/features/chat/use-inbox";
import { filterProjects } from "@/features/projects/board-filter";
import { tabOf } from "@/features/projects/project-status";
import { useProjectChanges, useProjects } from "@/features/projects/use-projects";
import { NewProjectButton } from "../projects/new-project-button";
import { useBoardActions } from "../projects/use-project-actions";
import { BoardHeader } from "./board-header";
import { BoardRoom } from "./board-room";
import { BoardBrand, BoardShell } from "./board-shell";
import { LazyLayers } from "./lazy-layers";
import { LazyOverlays, type Overlay } from "./lazy-overlays";
import { LazyRoom } from "./lazy-rooms";
import { roomFor } from "./rooms";
import { useBoardNavigation, useBoardView, useChatPlace } from "./use-board";
import { useBoardKeys } from "./use-board-keys";
import { useFreshProject } from "./use-fresh-project";
import { useSearchText } from "./use-search-text";

/** /dashboard: its rooms, the projects board first, and what opens over them; read-only for clients. Design 3.3. */
export function DashboardPage() {
  const me = useMe();
  const view = roomFor(me, useBoardView());
  const navigation = useBoardNavigation();
  const actions = useBoardActions();
  const { isRefetching } = useProjects({ scope: "mine" });
  useProjectChanges();
  const unread = useInbox({ isOpen: view === "messages", enabled: me.accountType !== "client" });
  const { main, isWhole } = useChatFrame({ isShown: view === "messages", place: useChatPlace() });
  const [text, setText] = useSearchText();
  const [freshId, showFresh] = useFreshProject();
  const [overlay, setOverlay] = useState<Overlay | null>(null);
  const header = useRef<{ focusSearch: () => void }>(null);
  const mayCreate = me.accountType !== "client";
  const create = mayCreate ? () => navigation.openModal("create") : undefined;
  useBoardKeys({ view, focusSearch: () => header.current?.focusSearch(), create, onOverlay: setOverlay });

  function onCreated(project: Project): void {
    const { filter = "all" } = navigation.here();
    const isHidden = filterProjects([project], { filter, q: text, viewerId: me.id }).length === 0;
    navigation.close("modal", {
      view: undefined,
      tab: tabOf(project.status),
      ...(isHidden && { filter: undefined, q: undefined }),
    });
    showFresh(project.id);
  }
  return (
    <BoardShell
      me={me}
      view={view}
      unread={unread}
      main={main}
      isWhole={isWhole}
      refreshing={view === "board" && isRefetching}
      onOverlay={setOverlay}
      header={
        !isWhole && (
          <BoardHeader
            ref={header}
            me={me}
            brand={<BoardBrand me={me} />}
            text={text}
            onTextChange={setText}
            placeholder={view === "team" ? "Search people" : undefined}
            newProject={create && (view === "board" || view === "overview") && <NewProjectButton onClick={create} />}
            onOverlay={setOverlay}
          />
        )
      }
    >
      {view === "board" ? (
        <BoardRoom me={me} text={text} onTextChange={setText} actions={actions} freshId={freshId} onCreate={create} />
      ) : (
        <LazyRoom view={view} />
      )}
      <LazyLayers mayCreate={mayCreate} actions={actions} onCreated={onCreated} />
      <LazyOverlays me={me} shown={overlay} onShow={setOverlay} />
    </BoardShell>
  );
}
