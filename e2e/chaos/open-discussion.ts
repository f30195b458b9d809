import type { Comment, CommentPage } from "@server/contract/views";
import type { QueryClient } from "@tanstack/react-query";
import type { ChatClient } from "./browser-client";
import type { CommentItem, StreamedView } from "./comment-history";
import { labelOf } from "./history";
import type { Journal } from "./journal";
import { type OpenPages, openPages } from "./open-pages";

export interface OpenDiscussion extends OpenPages<CommentPage> {
  taskId: string;
  /** What the stream has made of the pages that it began with. */
  streamed(): StreamedView;
}

interface DiscussionOptions {
  taskId: string;
  client: ChatClient;
  queryClient: QueryClient;
  onReceived(comment: Comment): void;
  onChange(): void;
  journal: Journal;
}

/** Reads and follows the discussion of a task with the keys, times and order of the app's hooks. */
export function openDiscussion(options: DiscussionOptions): OpenDiscussion {
  const { taskId, client, queryClient, onReceived, onChange, journal } = options;
  const subject = { taskId };
  const streamed = new Map<string, CommentItem>();
  let fromSeq = 1;
  const open = openPages<CommentPage>({
    queryClient,
    query: {
      queryKey: ["comments", taskId],
      queryFn: ({ pageParam, signal }) =>
        client.comments.list.query(pageParam === null ? { subject } : { subject, before: pageParam }, { signal }),
      initialPageParam: null,
      getNextPageParam: ({ nextCursor }) => nextCursor,
    },
    follow(pages) {
      if (pages.at(-1)?.nextCursor !== null) fromSeq = pages.at(-1)?.items[0]?.seq ?? 1;
      for (const comment of pages.flatMap(({ items }) => items)) streamed.set(comment.id, itemOf(comment));
      const from = pages[0]?.lastEventId ?? "";
      let previousEventId = from;
      return client.comments.onChange.subscribe(
        { subject, lastEventId: from },
        {
          onData({ id, data: event }) {
            // Nothing else was asked for.
            if (!("comment" in event)) return;
            const { comment } = event;
            journal.commentDelivered({ taskId, eventId: id, previousEventId, ...itemOf(comment) });
            previousEventId = id;
            streamed.set(comment.id, itemOf(comment));
            onReceived(comment);
          },
          onError: (error) => journal.streamEnd(error),
        },
      );
    },
    onChange,
  });
  return {
    ...open,
    taskId,
    streamed: () => ({ fromSeq, items: [...streamed.values()] }),
  };
}

export function itemOf({ id, seq, text, visibility }: Comment): CommentItem {
  return { seq, id, label: labelOf(text), visibility };
}
