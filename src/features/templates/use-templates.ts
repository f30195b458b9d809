import { PROJECT_MESSAGES } from "@server/contract/messages/projects";
import { TEMPLATE_MESSAGES } from "@server/contract/messages/templates";
import type { CopiedProject } from "@server/contract/views";
import { useProjectCache } from "@/features/projects/use-projects";
import { trpc } from "@/lib/trpc";
import { messageOf } from "@/lib/user-message";
import { announce } from "@/ui/announce";
import { toast } from "@/ui/toast";
import { savingTemplate } from "./use-save-template";

/** The organisation's templates, by title; read anew whenever a form shows them. */
export function useTemplates() {
  return trpc.projects.templates.useQuery(undefined, { staleTime: 0 });
}

/** Says itself how it went. */
export function useSaveAsTemplate() {
  return trpc.projects.saveAsTemplate.useMutation(savingTemplate(trpc.useUtils()));
}

/** Says itself when it fails. Once it is gone, for whatever reason, it is offered no more. */
export function useDeleteTemplate() {
  const { projects } = trpc.useUtils();
  return trpc.projects.deleteTemplate.useMutation({
    onError: (error) => toast.error(TEMPLATE_MESSAGES.deleteFailed, { description: messageOf(error) }),
    onSettled: () => projects.templates.invalidate(),
  });
}

/** Not optimistic, as all new projects. The form shows errors. */
export function useCreateFromTemplate() {
  return trpc.projects.createFromTemplate.useMutation({ onSuccess: useCopied() });
}

/** The same of a project. */
export function useDuplicateProject() {
  return trpc.projects.duplicate.useMutation({ onSuccess: useCopied() });
}

function useCopied() {
  const cache = useProjectCache();
  return ({ leftOut, ...project }: CopiedProject) => {
    cache.put(project);
    announce(PROJECT_MESSAGES.created);
    if (leftOut.length === 0) return;
    toast.success(PROJECT_MESSAGES.created, {
      description: TEMPLATE_MESSAGES.leftOut(leftOut.map(({ name }) => name)),
    });
  };
}
