import type { Subject } from "@server/contract/subjects";
import type { File as UploadedFile } from "@server/contract/views";
import { trpc } from "@/lib/trpc";
import { codeOf, messageOf } from "@/lib/user-message";
import { announce } from "@/ui/announce";
import { toast } from "@/ui/toast";

/** What hangs on a project or a task itself; for admins optionally as that client sees it. */
export function useFiles(subject: Subject, { asClientId }: { asClientId: string | undefined }) {
  // Nothing tells of what others attach: it is read anew on each visit.
  return trpc.files.list.useQuery(asClientId === undefined ? { subject } : { subject, asClientId }, { staleTime: 0 });
}

/** Attaches uploaded files to the subject. A failure says why and leaves them where they are. */
export function useAttachFiles(subject: Subject) {
  const utils = trpc.useUtils();
  return trpc.files.attach.useMutation({
    onSuccess(attached: readonly UploadedFile[]) {
      utils.files.list.setData({ subject }, (files) => files && [...files, ...attached]);
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
