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
 * Numbers have no holes: when one stays between two messages that are known, just what is missing is read and noted beside the
 * pages. The pages are not read anew, which would take what one looks at off the screen.
 */
export function createGapMender({ read, note, isConnected }: Options) {
  let known = "";
  let timer: ReturnType<typeof setInterval> | undefined;

  async function mend({ from, before }: Gap): Promise<void> {
    const { items } = await read({ before, limit: Math.min(before - from, MOST_AT_ONCE) });
    note(items);
  }
  return {
    /** To be told whenever the first hole may be another one, or none. */
    look(gap: Gap | null): void {
      const place = gap ? `${gap.from} ${gap.before}` : "";
      if (place === known) return;
      known = place;
      clearInterval(timer);
      if (!gap) return;
      let isReading = false;
      const attempt = setInterval(() => {
        if (isReading || !isConnected()) return;
        isReading = true;
        mend(gap).then(
          () => clearInterval(attempt),
          () => {
            isReading = false;
          },
        );
      }, PATIENCE_MS);
      timer = attempt;
    },
    stop: () => clearInterval(timer),
  };
}
