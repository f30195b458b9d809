import { MAX_LISTED_FILES } from "@server/contract/files";
import type { Subject } from "@server/contract/subjects";
import type { ListedFile } from "@server/contract/views";
import type { InfiniteData, QueryClient } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { usePagedItems } from "@/lib/paged-list";
import { patchQueries } from "@/lib/query-updates";
import { trpc } from "@/lib/trpc";
import { codeOf, messageOf } from "@/lib/user-message";
import { announce } from "@/ui/announce";
import { toast } from "@/ui/toast";

type Pages = InfiniteData<ListedFile[], string | null>;

/**
 * What hangs on a project or a task itself, the newest 500 and earlier ones as they are asked for; for admins optionally as that client
 * sees it. Kept up to date by the discussion beside it, while that is open.
 */
export function useFiles(subject: Subject, { asClientId }: { asClientId: string | undefined }) {
  const asked = asClientId === undefined ? { subject } : { subject, asClientId };
  return usePagedItems(
    trpc.files.list.useInfiniteQuery(asked, { staleTime: 0, getNextPageParam: beginningOf, select: toPages }),
  );
}

/** Before a full page there may be another. */
function beginningOf(page: readonly ListedFile[]): string | null {
  return page.length < MAX_LISTED_FILES ? null : (page[0]?.id ?? null);
}

/** In the order in which the files were attached: earlier pages are read later. */
function toPages({ pages, pageParams }: InfiniteData<ListedFile[], string | null | undefined>) {
  return { pages: pages.map((items) => ({ items })).reverse(), pageParams };
}

/** Shows the newest files, which the discussion's stream brought, instead of any read before. */
export function putFiles(queryClient: QueryClient, subject: Subject, files: ListedFile[]): void {
  const queryKey = getQueryKey(trpc.files.list, { subject }, "infinite");
  const outdated = patchQueries<Pages>(queryClient, { queryKey, exact: true }, ({ pages, pageParams }) =>
    // Where the pages before it end now, the server says.
    pages.length > 1 ? null : { pages: [files], pageParams: pageParams.slice(0, 1) },
  );
  for (const filters of outdated) void queryClient.invalidateQueries(filters);
}

/**
 * Attaches uploaded files to the subject. A failure says why and leaves them where they are. `onAttached` is called with their ids,
 * also when whatever shows them is gone by then.
 */
export function useAttachFiles(subject: Subject, onAttached: (fileIds: readonly string[]) => void) {
  const utils = trpc.useUtils();
  return trpc.files.attach.useMutation({
    onSuccess(attached: readonly ListedFile[], { fileIds }) {
      onAttached(fileIds);
      const isNew = ({ id }: ListedFile) => !attached.some((file) => file.id === id);
      utils.files.list.setInfiniteData({ subject }, (known) => {
        const [newest = [], ...earlier] = known?.pages ?? [];
        return known && { ...known, pages: [[...newest.filter(isNew), ...attached], ...earlier] };
      });
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
