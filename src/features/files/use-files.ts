import type { Subject } from "@server/contract/subjects";
import type { File as UploadedFile } from "@server/contract/views";
import type { QueryClient } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { patchQueries } from "@/lib/query-updates";
import { trpc } from "@/lib/trpc";
import { codeOf, messageOf } from "@/lib/user-message";
import { announce } from "@/ui/announce";
import { toast } from "@/ui/toast";

/**
 * What hangs on a project or a task itself; for admins optionally as that client sees it. Kept up to date by the discussion beside it,
 * while that is open.
 */
export function useFiles(subject: Subject, { asClientId }: { asClientId: string | undefined }) {
  return trpc.files.list.useQuery(asClientId === undefined ? { subject } : { subject, asClientId }, { staleTime: 0 });
}

/** Shows the files that the discussion's stream brought, instead of any read before. */
export function putFiles(queryClient: QueryClient, subject: Subject, files: UploadedFile[]): void {
  const queryKey = getQueryKey(trpc.files.list, { subject }, "query");
  patchQueries<UploadedFile[]>(queryClient, { queryKey, exact: true }, () => files);
}

/** Attaches uploaded files to the subject. A failure says why and leaves them where they are. */
export function useAttachFiles(subject: Subject) {
  const utils = trpc.useUtils();
  return trpc.files.attach.useMutation({
    onSuccess(attached: readonly UploadedFile[]) {
      const isNew = ({ id }: UploadedFile) => !attached.some((file) => file.id === id);
      utils.files.list.setData({ subject }, (files) => files && [...files.filter(isNew), ...attached]);
      announce(attached.length === 1 ? "File attached" : `${attached.length} files attached`);
    },
    onError: (error) => toast.error("The files could not be attached.", { description: messageOf(error) }),
    onSettled: () => utils.files.list.invalidate({ subject }),
  });
}

/** Removes a file from its subject, for good. One that is gone already counts as removed. */
export function useRemoveFile(subject: Subject) {
  const utils = trpc.useUtils();
  return trpc.files.remove.useMutation({
    onError: (error) =>
      codeOf(error) !== "NOT_FOUND" && toast.error("The file could not be removed.", { description: messageOf(error) }),
    onSettled: () => utils.files.list.invalidate({ subject }),
  });
}
