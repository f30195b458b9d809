import { COMMENT_MESSAGES } from "@server/contract/messages/comments";
import type { Subject } from "@server/contract/subjects";
import type { Comment, CommentPage, Person } from "@server/contract/views";
import {
  type InfiniteData,
  type QueryClient,
  type QueryKey,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { useMemo, useState } from "react";
import { putFiles } from "@/features/files/use-files";
import { trpc } from "@/lib/trpc";
import { useReadMark } from "@/lib/use-read-mark";
import { messageOf, reasonOf } from "@/lib/user-message";
import { toast } from "@/ui/toast";
import { allComments, receiveComment } from "./comment-cache";

type Pages = InfiniteData<CommentPage, number | null>;

const NOTHING: readonly Comment[] = [];

type DiscussionOf = {
  subject: Subject /** The client whose portal an admin views. */;
  asClientId?: string | undefined;
};

/**
 * The comments on a task or a project: pages, and received comments. They are kept apart so that a page that is still loading
 * cannot overwrite what was received.
 */
export function useComments({ subject, asClientId }: DiscussionOf) {
  const { client } = trpc.useUtils();
  const input = asClientId === undefined ? { subject } : { subject, asClientId };
  const query = useInfiniteQuery<CommentPage, Error, Pages, QueryKey, number | null>({
    queryKey: pagesKey({ subject, asClientId }),
    queryFn: ({ pageParam, signal }) =>
      client.comments.list.query(pageParam === null ? input : { ...input, before: pageParam }, { signal }),
    initialPageParam: null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  const { data: received = NOTHING } = useQuery<readonly Comment[]>({
    queryKey: receivedKey(subject),
    queryFn: () => NOTHING,
    enabled: false,
  });
  const pages = query.data?.pages;
  // What was received is the signed-in person's, not the client's.
  const known = asClientId === undefined ? received : NOTHING;
  const comments = useMemo(() => pages && allComments(pages, known), [pages, known]);
  return { ...query, comments, newest: pages?.[0] };
}

type LiveOptions = {
  subject: Subject;
  lastEventId: string;
  onCreated: (comment: Comment) => void;
  /** People whom the discussion names, as they are now. */
  onPeople: (people: readonly Person[]) => void;
};

/** Follows the discussion from that event on, and the files beside it. Give the component the subject as its key. */
export function useLiveComments({ subject, lastEventId, onCreated, onPeople }: LiveOptions): void {
  const queryClient = useQueryClient();
  // Fixed: another input would be another subscription, and tRPC itself resumes after the last event.
  const [from] = useState(lastEventId);
  trpc.comments.onChange.useSubscription(
    { subject, lastEventId: from, also: ["files", "people"] },
    {
      onData({ data: event }) {
        if (event.type === "files") putFiles(queryClient, subject, event.files);
        else if (event.type === "people") onPeople(event.people);
        else {
          putComment(queryClient, subject, event.comment);
          if (event.type === "created") onCreated(event.comment);
        }
      },
    },
  );
}

/** Moves the read mark to the newest comment while `isSeen`, and sends it again once an edit mentions the reader. */
export function useMarkRead({ subject, comments, newest, ownId, isSeen }: MarkReadOptions): void {
  const queryClient = useQueryClient();
  const [markedEdit, setMarkedEdit] = useState("");
  const upToSeq = comments.at(-1)?.seq ?? 0;
  const lastEdit = lastMentioningEdit(comments, ownId);
  const mutation = trpc.comments.markRead.useMutation({
    onMutate: () => lastEdit,
    onSuccess(_answer, marked, edit) {
      setMarkedEdit(edit);
      // The next visit begins with these pages.
      queryClient.setQueryData<Pages>(pagesKey(marked), (data) => data && withReadMark(data, marked.upToSeq));
    },
  });
  useReadMark({
    mutation,
    input: { subject, upToSeq },
    isBehind: isSeen && newest !== undefined && (upToSeq > newest.readUpToSeq || lastEdit > markedEdit),
  });
}

type MarkReadOptions = {
  subject: Subject;
  comments: readonly Comment[];
  newest: CommentPage | undefined;
  ownId: string;
  isSeen: boolean;
};

/** When the last of the comments that mention somebody was edited, ISO-8601; "" where none was. */
function lastMentioningEdit(comments: readonly Comment[], personId: string): string {
  const edits = comments.flatMap(({ mentions, editedAt }) => (mentions.includes(personId) && editedAt) || []);
  return edits.reduce((last, at) => (at > last ? at : last), "");
}

/** Who may be mentioned there, by name. Undefined until it is wanted and read. */
export function useMentionable(subject: Subject, { enabled }: { enabled: boolean }) {
  return trpc.comments.mentionable.useQuery({ subject }, { enabled, staleTime: 60_000 }).data;
}

/** Changes the text of one's own comment. Where it was edited meanwhile it is read again. */
export function useUpdateComment(subject: Subject) {
  const queryClient = useQueryClient();
  return trpc.comments.update.useMutation({
    onSuccess: (comment) => putComment(queryClient, subject, comment),
    onError: (error) => {
      if (reasonOf(error) === "stale-version") void queryClient.invalidateQueries({ queryKey: pagesKey({ subject }) });
    },
  });
}

/** Deletes a comment and shows a toast when that fails. */
export function useDeleteComment(subject: Subject): (comment: Comment) => void {
  const queryClient = useQueryClient();
  const { mutate } = trpc.comments.delete.useMutation({
    onError: (error) => toast.error(COMMENT_MESSAGES.deleteFailed, { description: messageOf(error) }),
  });
  return (comment) => {
    const deleted = { ...comment, text: "", mentions: [], files: [], deletedAt: new Date().toISOString() };
    mutate({ commentId: comment.id }, { onSuccess: () => putComment(queryClient, subject, deleted) });
  };
}

/** Adds a comment to its discussion, or what has become of it. */
export function putComment(queryClient: QueryClient, subject: Subject, comment: Comment): void {
  const key = receivedKey(subject);
  const known = queryClient.getQueryData<readonly Comment[]>(key) ?? NOTHING;
  const next = receiveComment(known, comment);
  if (next !== known) queryClient.setQueryData<readonly Comment[]>(key, next);
}

function withReadMark(data: Pages, readUpToSeq: number): Pages {
  const [newest, ...older] = data.pages;
  return newest ? { ...data, pages: [{ ...newest, readUpToSeq }, ...older] } : data;
}

function pagesKey({ subject, asClientId }: DiscussionOf): QueryKey {
  return getQueryKey(trpc.comments.list, { subject, ...(asClientId !== undefined && { asClientId }) }, "query");
}

function receivedKey(subject: Subject): QueryKey {
  return [...getQueryKey(trpc.comments.list, { subject }), "received"];
}
