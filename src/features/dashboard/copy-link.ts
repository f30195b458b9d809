import { toast } from "@/ui/toast";

/** Puts the address of a project's panel on the clipboard, and says so. */
export async function copyPanelLink(projectId: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(new URL(`/dashboard?panel=${projectId}`, location.origin).href);
    toast.success("Link copied");
  } catch {
    toast.error("The link could not be copied.", { description: "This browser does not allow it here." });
  }
}
