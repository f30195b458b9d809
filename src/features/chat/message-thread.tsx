import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown } from "lucide-react";
import {
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { useMedia } from "@/lib/use-media";
import { useNextFocus } from "@/lib/use-next-focus";
import { useToday } from "@/lib/use-today";
import { Button } from "@/ui/button";
import type { Making } from "./message-menu";
import { MessageRow } from "./message-row";
import type { UnsentMessage } from "./outbox";
import { isFromOthers, type ThreadMessage, type ThreadRow } from "./thread";

const END_PX = 80;
const OLDER_PX = 600;
const OVERSCAN = 8;
const LETTERS_A_LINE = 56;

type MessageThreadProps = {
  rows: readonly ThreadRow[];
  partnerName: string;
  /** The last seq of the conversation, loaded or not. */
  lastSeq: number;
  older: { isThere: boolean; hasFailed: boolean; read: () => void };
  /** What the reader may make of a message. Keep the array and the function stable. */
  makes: readonly Making[];
  onMake: (making: Making, message: ThreadMessage) => void;
  onRetry: (clientMessageId: string) => void;
  onDelete: (clientMessageId: string) => void;
  /** Undefined where nothing can be written. Keep the function stable. */
  onEdit: ((message: UnsentMessage) => void) | undefined;
};

/**
 * A virtual list of messages. Opens at the first unread one, else at the end. Stays at the end once there, and does not move when
 * older messages are added above.
 */
export function MessageThread({ rows, partnerName, lastSeq, older, ...actions }: MessageThreadProps) {
  const scroller = useRef<HTMLElement>(null);
  const today = useToday();
  const isPrinted = useMedia("print");
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (at) => estimateOf(rows[at]),
    getItemKey: (at) => rows[at]?.message.key ?? at,
    overscan: OVERSCAN,
    // Paper does not scroll.
    rangeExtractor: isPrinted ? () => [...rows.keys()] : defaultRangeExtractor,
    anchorTo: "end",
    followOnAppend: true,
    scrollEndThreshold: END_PX,
    paddingStart: 16,
    paddingEnd: 16,
  });
  const { isAtEnd, missed, look: noteScroll } = useEnd({ rows, scroller, virtualizer });

  const [openAt] = useState(() => rows.findIndex((row) => row.isFirstNew));
  useLayoutEffect(() => {
    if (openAt >= 0) virtualizer.scrollToIndex(openAt, { align: "start" });
    else virtualizer.scrollToEnd();
  }, [openAt, virtualizer]);

  const last = rows.at(-1)?.message;
  const ownLast = last?.from === "self" ? last.key : null;
  const shownOwn = useRef(ownLast);
  useLayoutEffect(() => {
    const isNew = ownLast !== shownOwn.current;
    shownOwn.current = ownLast;
    // One's own message always scrolls into view.
    if (isNew && ownLast !== null) virtualizer.scrollToEnd();
  }, [ownLast, virtualizer]);

  const { isThere, read } = older;
  useNextFocus(older.hasFailed, scroller);
  const retry = useFocusKeeper(actions.onRetry, scroller);
  const remove = useFocusKeeper(actions.onDelete, scroller);
  function readOlder(): void {
    if (isThere && !older.hasFailed && (scroller.current?.scrollTop ?? 0) < OLDER_PX) read();
  }
  useEffect(readOlder);

  function jump(): void {
    virtualizer.scrollToEnd();
    scroller.current?.focus({ preventScroll: true });
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== "End" || event.target !== event.currentTarget) return;
    event.preventDefault();
    virtualizer.scrollToEnd();
  }
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <section
        ref={scroller}
        aria-label={`Messages with ${partnerName}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard.
        tabIndex={0}
        onKeyDown={onKeyDown}
        onScroll={() => {
          noteScroll();
          readOlder();
        }}
        className="flex min-h-0 flex-1 flex-col overflow-y-auto overflow-x-hidden overscroll-contain px-3.5 [overflow-anchor:none] focus-visible:-outline-offset-2 sm:px-6"
      >
        <ol className="relative mt-auto shrink-0 print:h-auto!" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, key, start }) => {
            const row = rows[index];
            if (!row) return null;
            return (
              <li
                key={key}
                ref={virtualizer.measureElement}
                data-index={index}
                aria-posinset={row.message.seq ?? lastSeq + 1}
                aria-setsize={row.message.seq === null ? lastSeq + 1 : lastSeq}
                className="absolute inset-x-0 top-0 flow-root print:static print:transform-none!"
                style={{ transform: `translateY(${start}px)` }}
              >
                <MessageRow row={row} today={today} {...actions} onRetry={retry} onDelete={remove} />
              </li>
            );
          })}
        </ol>
      </section>
      {older.hasFailed && (
        <div className="absolute inset-x-0 top-3 flex justify-center">
          <Button size="sm" onClick={read} className="shadow-2">
            Load older messages
          </Button>
        </div>
      )}
      {!isAtEnd && missed > 0 && (
        <div className="pointer-events-none absolute inset-x-0 bottom-3 flex justify-center">
          <Button
            size="sm"
            variant="primary"
            className="pointer-events-auto shadow-2"
            icon={<ArrowDown size={16} />}
            onClick={jump}
          >
            Jump to latest ({missed})
          </Button>
        </div>
      )}
    </div>
  );
}

/** For what can be done with an unsent message: its buttons go away, and the focus stays in the list. */
function useFocusKeeper(act: (clientMessageId: string) => void, scroller: RefObject<HTMLElement | null>) {
  return useCallback(
    (clientMessageId: string) => {
      act(clientMessageId);
      scroller.current?.focus({ preventScroll: true });
    },
    [act, scroller],
  );
}

type EndOptions = Pick<MessageThreadProps, "rows"> & {
  scroller: RefObject<HTMLElement | null>;
  virtualizer: { scrollToEnd: () => void };
};

/** Whether the newest messages are in view, and how many of the others' arrived while they were not. */
function useEnd({ rows, scroller, virtualizer }: EndOptions) {
  const newestSeq = rows.reduce((highest, { message }) => Math.max(highest, message.seq ?? 0), 0);
  const [isAtEnd, setAtEnd] = useState(true);
  const [seenSeq, setSeenSeq] = useState(newestSeq);
  if (isAtEnd && seenSeq < newestSeq) setSeenSeq(newestSeq);
  const missed = rows.filter(({ message }) => isFromOthers(message) && (message.seq ?? 0) > seenSeq).length;
  const noteScroll = useCallback(() => {
    // Read from the element: the virtualizer handles the same scroll event later.
    const { scrollHeight = 0, scrollTop = 0, clientHeight = 0 } = scroller.current ?? {};
    setAtEnd(scrollHeight - scrollTop - clientHeight <= END_PX);
  }, [scroller]);
  const keepEnd = useEffectEvent(() => {
    if (isAtEnd) virtualizer.scrollToEnd();
  });
  const shownCount = useRef(rows.length);
  useLayoutEffect(() => {
    // A message that arrives while one's own waits to be sent is inserted above it: the virtualizer sees nothing appended.
    if (rows.length !== shownCount.current) keepEnd();
    shownCount.current = rows.length;
  }, [rows.length]);
  useEffect(() => {
    if (!scroller.current) return;
    let isFirst = true;
    // A phone's keyboard, a rotation or a growing composer shrinks the list: the newest message stays in view.
    const observer = new ResizeObserver(() => {
      if (isFirst) noteScroll();
      else keepEnd();
      isFirst = false;
    });
    observer.observe(scroller.current);
    return () => observer.disconnect();
  }, [scroller, noteScroll]);
  return { isAtEnd, missed, look: noteScroll };
}

/** The approximate height of the row until it is measured. */
function estimateOf(row: ThreadRow | undefined): number {
  if (!row) return 44;
  const lines = row.message.text
    .split("\n")
    .reduce((count, line) => count + Math.max(1, Math.ceil(line.length / LETTERS_A_LINE)), 0);
  if (row.message.from === "system") return 36 + (row.day ? 40 : 0);
  return (
    21 * lines +
    20 +
    (row.message.chip ? 28 : 0) +
    (row.startsGroup ? 12 : 4) +
    (row.day ? 40 : 0) +
    (row.isFirstNew ? 40 : 0)
  );
}
