import { codeOf, isRefusal } from "@/lib/user-message";
import type { CommentDelivered, DiscussionView } from "./comment-history";
import type { Delivered, InboxLine, Operation, ThreadView } from "./history";
import type { Recorder } from "./recorder";

export type Asked = Pick<Operation, "operation" | "key"> &
  Partial<Pick<Operation, "partnerId" | "taskId" | "visibility" | "label" | "upToSeq" | "mustFailWith">>;
type Answered = Pick<Operation, "outcome"> & Partial<Pick<Operation, "code" | "answer">>;

/** What one tab records. */
export interface Journal {
  /** A call begins. Call the returned function when it ends. */
  begin(asked: Asked): (answered: Answered) => void;
  /** As `begin`, around a call whose answer does not matter. */
  note(asked: Asked, call: () => Promise<unknown>): Promise<void>;
  thread(visit: number, thread: ThreadView): void;
  inbox(inbox: readonly InboxLine[]): void;
  discussion(visit: number, discussion: DiscussionView): void;
  delivered(delivered: Pick<Delivered, "conversationId" | "seq" | "previousSeq">): void;
  commentDelivered(delivered: Omit<CommentDelivered, "type" | "tab" | "personId" | "at">): void;
  connection(isOpen: boolean): void;
  streamEnd(error: unknown): void;
  /** The page is gone: its calls under way stay unanswered. */
  leave(): void;
}

export function createJournal(
  recorder: Recorder,
  { tab, personId, life }: { tab: string; personId: string; life: number },
): Journal {
  const onScreen = () => ({ tab, personId, life, at: recorder.now() });
  const open = new Set<(answered: Answered) => void>();
  function begin(asked: Asked): (answered: Answered) => void {
    const start = recorder.now();
    const nothing = {
      ...{ partnerId: null, taskId: null, visibility: null, label: null, upToSeq: null },
      ...{ mustFailWith: null, code: null, answer: null },
    };
    const done = (answered: Answered) => {
      // An aborted `fetch` may settle late or never.
      if (!open.delete(done)) return;
      const end = recorder.now();
      recorder.write({ type: "operation", tab, personId, ...nothing, ...asked, ...answered, start, end });
    };
    open.add(done);
    return done;
  }
  return {
    begin,
    async note(asked, call) {
      const done = begin(asked);
      await call().then(
        () => done({ outcome: "ok" }),
        (error: unknown) => {
          done({ outcome: isRefusal(error) ? "failed" : "unknown", code: codeOf(error) ?? null });
          throw error;
        },
      );
    },
    leave() {
      for (const done of open) done({ outcome: "unknown" });
    },
    thread: (visit, thread) => recorder.write({ type: "thread", ...onScreen(), visit, thread }),
    inbox: (inbox) => recorder.write({ type: "inbox", ...onScreen(), inbox }),
    discussion: (visit, discussion) => recorder.write({ type: "discussion", ...onScreen(), visit, discussion }),
    commentDelivered: (delivered) =>
      recorder.write({ type: "comment-delivered", tab, personId, at: recorder.now(), ...delivered }),
    delivered: (delivered) => recorder.write({ type: "delivered", tab, at: recorder.now(), ...delivered }),
    connection: (isOpen) => recorder.write({ type: "connection", tab, at: recorder.now(), isOpen }),
    streamEnd: (error) =>
      recorder.write({ type: "stream-end", tab, at: recorder.now(), code: codeOf(error) ?? String(error) }),
  };
}
