import type { Message } from "@server/contract/views";
import type { Gap } from "./chat-cache";

/** The answer to one's own message often comes before the stream has told what was said before it. */
const PATIENCE_MS = 2_000;
const MOST_AT_ONCE = 200;

interface Options {
  /** The messages before a number, the newest so many of them, ascending. */
  read: (place: { before: number; limit: number }) => Promise<{ items: readonly Message[] }>;
  note: (messages: readonly Message[]) => void;
  /** A stream that is interrupted goes on where it was, and fills the hole too. */
  isConnected: () => boolean;
}

/**
 * Numbers have no holes: where some stay missing between messages that are known, they are read and noted beside the pages. The
 * pages are not read anew, which would take what one looks at off the screen.
 */
export function createGapMender({ read, note, isConnected }: Options) {
  let gap: Gap | null = null;
  /** What was read already and brought nothing that is missing. */
  let tried: Gap | null = null;
  let isReading = false;
  let timer: ReturnType<typeof setInterval> | undefined;

  async function mend(wanted: Gap): Promise<void> {
    isReading = true;
    try {
      const { items } = await read({
        before: wanted.before,
        limit: Math.min(wanted.before - wanted.from, MOST_AT_ONCE),
      });
      tried = wanted;
      note(items);
    } catch {
      // Tried again at the next turn.
    }
    isReading = false;
  }
  return {
    /** To be told whenever what is missing may have changed. What grows at its end waits no longer for that. */
    look(next: Gap | null): void {
      const isAnother = next?.from !== gap?.from;
      gap = next;
      if (!isAnother) return;
      clearInterval(timer);
      if (!next) return;
      timer = setInterval(() => {
        if (gap && gap.before !== tried?.before && !isReading && isConnected()) void mend(gap);
      }, PATIENCE_MS);
    },
    stop: () => clearInterval(timer),
  };
}
