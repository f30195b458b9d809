import { randomUUID } from "node:crypto";
import type { Visibility } from "@db/enums";
import type { Comment } from "@server/contract/views";
import type { UnsentComment } from "@/features/comments/outbox";
import type { ChatClient } from "./browser-client";
import type { CommentItem, DiscussionRead } from "./comment-history";
import type { Participant } from "./history";
import { itemOf } from "./open-discussion";
import type { Page } from "./page";
import { doOneOf, type Random } from "./random";
import { isStored, type Recorder } from "./recorder";

/** What a person does with comments on the tasks of a project. */
export interface Commenter {
  /** Opens the task and sends a comment. */
  write(taskId: string, visibility: Visibility): void;
  /** The same comment twice at once, past the outbox. */
  writeTwice(taskId: string, visibility: Visibility): Promise<void>;
  /** Edits, deletes, opens another task or does what must be refused. */
  fidget(random: Random): void;
  /** The open discussion, if there is one, whole, as the server answers now. */
  readAnew(): Promise<DiscussionRead>[];
  taskIds: readonly string[];
}

interface CommenterOptions {
  tab: string;
  person: Participant;
  taskIds: readonly string[];
  page: () => Page;
  recorder: Recorder;
  nextText: () => string;
}

export function createCommenter({ tab, person, taskIds, page, recorder, nextText }: CommenterOptions): Commenter {
  /** The key of the last comment, by task. */
  const used = new Map<string, string>();

  function entryFor(taskId: string, visibility: Visibility, clientCommentId: string = randomUUID()): UnsentComment {
    const content = { subject: { taskId }, text: nextText(), visibility, files: [] };
    return { ...content, clientCommentId, writtenAt: "", state: "sending" };
  }
  /** One of their own that the screen shows. */
  function changeOne(random: Random, act: (comment: Comment) => Promise<void>): void {
    const shown = page()
      .discussions.comments()
      .filter(({ authorId, deletedAt }) => deletedAt === null && authorId === person.id);
    // A call without an answer is not repeated: the person sees what has become of it.
    if (shown.length > 0) void act(random.pick(shown)).catch(() => {});
  }
  /** A key stands for one place: on another task it is refused, whatever has become of the comment. */
  async function writeUnderUsedKey(taskId: string): Promise<void> {
    const key = used.get(taskId);
    const other = taskIds.find((id) => id !== taskId);
    if (!key || !other || !isStored(recorder, key)) return;
    await page().discussions.attempt(entryFor(other, "client", key), "CONFLICT");
  }
  return {
    taskIds,
    readAnew() {
      const { client, discussions } = page();
      const taskId = discussions.openTask();
      if (taskId === null) return [];
      const read = { tab, personId: person.id, taskId };
      const notAnswered = () => ({ ...read, items: null });
      return [readWhole(client, taskId).then((items) => ({ ...read, items }), notAnswered)];
    },
    write(taskId, visibility) {
      const { discussions } = page();
      discussions.open(taskId);
      const entry = entryFor(taskId, visibility);
      used.set(taskId, entry.clientCommentId);
      discussions.write(entry);
    },
    async writeTwice(taskId, visibility) {
      const entry = entryFor(taskId, visibility);
      const { discussions } = page();
      await Promise.all([1, 2].map(() => discussions.attempt(entry)));
    },
    fidget(random) {
      const { discussions } = page();
      const taskId = random.pick(taskIds);
      const visibility = random.chance(0.5) ? "team" : "client";
      doOneOf(
        [
          [8, () => changeOne(random, (comment) => discussions.edit(comment, nextText()))],
          [3, () => changeOne(random, (comment) => discussions.remove(comment))],
          [2, () => discussions.open(taskId)],
          [1, () => discussions.open(null)],
          [1, () => void discussions.readOlder()],
          [2, () => void this.writeTwice(taskId, visibility)],
          [1, () => void writeUnderUsedKey(taskId)],
        ],
        random,
      );
    },
  };
}

async function readWhole(client: ChatClient, taskId: string): Promise<CommentItem[]> {
  const read: CommentItem[] = [];
  for (let before: number | null | undefined; before !== null; ) {
    const page = await client.comments.list.query({ subject: { taskId }, limit: 200, ...(before && { before }) });
    read.unshift(...page.items.map(itemOf));
    before = page.nextCursor;
  }
  return read;
}
