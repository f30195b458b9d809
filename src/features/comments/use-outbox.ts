import { COMMENT_MESSAGES } from "@server/contract/messages/comments";
import { useMemo } from "react";
import { newKey } from "@/lib/new-key";
import { newUnsent } from "@/lib/outbox";
import { createDelivery, useOutbox } from "@/lib/outbox-delivery";
import { commentOutbox, type UnsentComment } from "./outbox";
import { putComment } from "./use-comments";

/** How comments reach the server. */
export const commentDelivery = createDelivery<UnsentComment>({
  outbox: commentOutbox,
  async send({ clientCommentId, subject, text, visibility, files }, { utils, queryClient }, call) {
    const fileIds = files.map(({ id }) => id);
    const comment = { clientCommentId, subject, text, visibility, ...(fileIds.length > 0 && { fileIds }) };
    putComment(queryClient, subject, await utils.client.comments.create.mutate(comment, call));
    // Whoever writes follows from now on.
    const { following } = utils.notifications;
    if (following.getData({ subject })?.following === false) void following.invalidate({ subject });
  },
  failureOf: () => COMMENT_MESSAGES.sendFailed,
  onRefused(_comment, { utils }) {
    // Writing may have been switched off, which the screen then shows.
    void utils.projects.invalidate();
  },
});

type NewComment = Pick<UnsentComment, "subject" | "text" | "visibility" | "files">;

/** The person's unsent comments. */
export function useCommentOutbox(ownId: string) {
  const outbox = useOutbox(commentDelivery, ownId);
  return useMemo(
    () => ({
      ...outbox,
      send: (comment: NewComment) => outbox.send({ ...comment, ...newUnsent(), clientCommentId: newKey() }),
    }),
    [outbox],
  );
}
