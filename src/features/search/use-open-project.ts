import { useNavigate } from "@tanstack/react-router";
import { openIds, toggleOpen } from "@/features/projects/open-projects";
import { useOverlays } from "@/features/projects/use-overlays";

/** Opens a project's panel; where an admin looks at a client's portal, the project in the list there, since the panel may be edited. */
export function useOpenProject(asClientId: string | undefined): (id: string) => void {
  const { openPanel } = useOverlays();
  const navigate = useNavigate();
  if (asClientId === undefined) return openPanel;
  return (id) =>
    void navigate({
      to: "/admin/clients/$clientId",
      params: { clientId: asClientId },
      search: (kept) => ({
        ...kept,
        request: undefined,
        open: openIds(kept.open).includes(id) ? kept.open : toggleOpen(kept.open, id),
      }),
      state: true,
      replace: true,
      resetScroll: false,
    });
}
