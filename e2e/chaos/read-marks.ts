import type { Conversation } from "@server/contract/views";

const RETRY_READ_MS = 5_000;

interface ReadMarksOptions {
  /** Shows it at once. Returns the rollback. */
  show(seen: Seen): () => void;
  send(seen: Seen): Promise<void>;
  onChange(): void;
}

type Seen = { conversationId: string; upToSeq: number };

/** Marks the open conversation as read, as the app does: one call at a time, after a failure a later one. */
export function createReadMarks({ show, send, onChange }: ReadMarksOptions) {
  let planned = "";
  let timer: NodeJS.Timeout | undefined;
  let isPending = false;
  let retryAtMs = 0;
  let isOver = false;

  async function mark(seen: Seen): Promise<void> {
    planned = "";
    isPending = true;
    const takeBack = show(seen);
    try {
      await send(seen);
      retryAtMs = 0;
    } catch {
      takeBack();
      retryAtMs = performance.now() + RETRY_READ_MS;
    }
    isPending = false;
    if (!isOver) onChange();
  }

  return {
    /** Call it whenever the conversation or `isSeen` may have changed. */
    follow(conversation: Conversation | null, isSeen: boolean): void {
      const isBehind = conversation !== null && isSeen && conversation.unreadCount > 0 && !isPending && !isOver;
      const wanted = isBehind ? `${conversation.id} ${conversation.lastSeq} ${retryAtMs}` : "";
      if (wanted === planned) return;
      clearTimeout(timer);
      planned = wanted;
      if (!isBehind) return;
      const seen = { conversationId: conversation.id, upToSeq: conversation.lastSeq };
      timer = setTimeout(() => void mark(seen), Math.max(0, retryAtMs - performance.now()));
    },
    isAtRest: () => planned === "" && !isPending,
    stop(): void {
      isOver = true;
      planned = "";
      clearTimeout(timer);
    },
  };
}
