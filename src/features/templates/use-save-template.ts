import { TEMPLATE_MESSAGES } from "@server/contract/messages/templates";
import type { trpc } from "@/lib/trpc";
import { messageOf } from "@/lib/user-message";
import { toast } from "@/ui/toast";

type Utils = ReturnType<typeof trpc.useUtils>;

/** What happens once a project is a template, or could not be made one: a toast says it. */
export function savingTemplate({ projects }: Utils) {
  return {
    onSuccess(): void {
      toast.success(TEMPLATE_MESSAGES.saved, { description: TEMPLATE_MESSAGES.savedHint });
      void projects.templates.invalidate();
    },
    onError: (error: unknown): void => {
      toast.error(TEMPLATE_MESSAGES.saveFailed, { description: messageOf(error) });
    },
  };
}

/** For menus, which are gone by the answer. Never rejects. */
export function saveTemplate(utils: Utils, projectId: string): Promise<void> {
  const { onSuccess, onError } = savingTemplate(utils);
  return utils.client.projects.saveAsTemplate.mutate({ projectId }).then(onSuccess, onError);
}
