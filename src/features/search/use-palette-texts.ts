import { filePath } from "@server/contract/files";
import type { Me, SearchResults } from "@server/contract/views";
import { useRouter } from "@tanstack/react-router";
import { Download, Lightbulb, MessageSquare, MessagesSquare } from "lucide-react";
import { useOverlays } from "@/features/projects/use-overlays";
import { downloadFrom } from "@/lib/download";
import { partsOf } from "@/lib/found-text";
import type { Home } from "@/lib/landing";
import type { PaletteItem } from "@/ui/command-palette";

type Options = {
  me: Me;
  home: Home;
  asClientId: string | undefined;
  openProject: (id: string) => void;
  query: string;
  found: SearchResults | undefined;
};
type Texts = Record<"comments" | "messages" | "requests" | "files", PaletteItem[]>;

/** What the palette finds in what people wrote and attached: comments on tasks and projects, own messages, requests, files. */
export function usePaletteTexts({ me, home, asClientId, openProject, query, found }: Options): Texts {
  const router = useRouter();
  // A client may be on the board, which has no messages or requests for them.
  const shell = me.accountType === "client" ? "/client" : home;
  const { openTask, openModal } = useOverlays();
  // A project's details have its discussion, as its card in the portal has.
  const openDiscussion = (id: string) => (asClientId === undefined ? openModal("view", id) : openProject(id));
  return {
    comments: (found?.comments ?? []).map(({ id, excerpt, project, taskNumber }) => ({
      value: `comment:${id}`,
      label: excerpt,
      icon: MessageSquare,
      detail: taskNumber === null ? project.title : `${project.key}-${taskNumber} · ${project.title}`,
      staysHere: taskNumber !== null,
      onChoose: () => (taskNumber === null ? openDiscussion(project.id) : openTask(`${project.key}-${taskNumber}`)),
    })),
    messages: (found?.messages ?? []).map(({ id, excerpt, conversationId, otherUser }) => ({
      value: `message:${id}`,
      label: excerpt,
      icon: MessagesSquare,
      detail: otherUser.name,
      onChoose: () => void router.navigate({ to: `${shell}/messages/${conversationId}` }),
    })),
    requests: (found?.requests ?? []).map(({ id, title, excerpt, project }) => ({
      value: `request:${id}`,
      // Found by its text: the line says by what.
      label: partsOf(title, query).some(({ isFound }) => isFound) ? title : `${title}: ${excerpt}`,
      icon: Lightbulb,
      detail: project.title,
      onChoose: () =>
        void router.navigate(
          asClientId === undefined
            ? { to: `${shell}/requests`, search: { request: id } }
            : { to: "/admin/clients/$clientId", params: { clientId: asClientId }, search: { request: id } },
        ),
    })),
    files: (found?.files ?? []).map(({ id, name }) => ({
      value: `file:${id}`,
      label: name,
      icon: Download,
      staysHere: true,
      onChoose: () => downloadFrom(filePath(id, "download")),
    })),
  };
}
