import type { Project } from "@server/contract/views";
import { useMe } from "@/features/auth/use-auth";

/** Whether the signed-in person answers for a project: its managers and admins. The server decides. */
export function useMayManage({ canEdit, managers }: Pick<Project, "canEdit" | "managers">): boolean {
  const me = useMe();
  return me.accountType === "admin" || (canEdit && managers.includes(me.id));
}
