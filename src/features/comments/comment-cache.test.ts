import type { Comment } from "@server/contract/views";
import { expect, test } from "vitest";
import { allComments, receiveComment, timelineOf, withPeople } from "./comment-cache";
import type { UnsentComment } from "./outbox";

test("pages and events show each comment once, by seq, as it was last, whichever came first", () => {
  const edited = comment(2, { text: "later", editedAt: at(30) });
  const deleted = comment(3, { text: "", deletedAt: at(40) });
  const received = [edited, deleted, comment(3), comment(4), comment(2)].reduce(
    receiveComment,
    [] as readonly Comment[],
  );
  const pages = [
    { items: [comment(2), comment(3)], nextCursor: 2 },
    { items: [comment(1)], nextCursor: null },
  ];
  expect(allComments(pages, received)).toEqual([comment(1), edited, deleted, comment(4)]);
  expect(receiveComment(received, edited)).toEqual(received);
});

test("names are the present ones, of authors and of whom a text mentions; what names nobody else stays as it is", () => {
  const id = "00000000-0000-4000-8000-000000000001";
  const person = { id, name: "Nik", accountType: "admin", profileImgLink: null } as const;
  const author = { ...person, name: "Nikhil Jain" };
  const mention = (name: string) => `Ask @[${name}](person:${id}), not @[Nikhil Jain](person:x).`;
  const comments = [comment(1), comment(2, { author }), comment(3, { mentions: [id], text: mention("Nikhil Jain") })];
  const shown = withPeople(comments, new Map([[id, person]]));
  expect(shown[0]).toBe(comments[0]);
  expect(shown[1]?.author).toBe(person);
  expect(shown[2]?.text).toBe(mention("Nik"));
});

test("what is older than the loaded pages waits for them", () => {
  const pages = [{ items: [comment(5)], nextCursor: 5 }];
  expect(allComments(pages, [comment(2, { editedAt: at(50) })])).toEqual([comment(5)]);
});

test("history stands between the comments by time, and what is not sent at the end", () => {
  const rows = timelineOf({
    comments: [comment(2), comment(3)],
    unsent: [unsent("own-3"), unsent("waiting")],
    entries: [entry(25), entry(5), entry(60)],
    hasOlder: true,
    readUpToSeq: 2,
    ownId: "me",
  });
  expect(rows.map(({ key }) => key)).toEqual(["own-2", "entry 25", "own-3", "entry 60", "waiting"]);
  expect(rows.map((row) => row.kind === "comment" && row.isFirstNew)).toEqual([false, false, true, false, false]);
});

test("neither one's own nor a deleted comment is new", () => {
  const comments = [comment(1, { authorId: "me" }), comment(2, { deletedAt: at(30) }), comment(3)];
  const newOf = (readUpToSeq: number | null) =>
    timelineOf({ comments, unsent: [], entries: [], hasOlder: false, readUpToSeq, ownId: "me" }).flatMap((row) =>
      row.kind === "comment" && row.isFirstNew ? row.comment.seq : [],
    );
  expect(newOf(0)).toEqual([3]);
  expect(newOf(3)).toEqual([]);
  expect(newOf(null)).toEqual([]);
});

function comment(seq: number, change: Partial<Comment> = {}): Comment {
  return {
    id: `id-${seq}`,
    projectId: "p",
    taskId: null,
    seq,
    authorId: "you",
    author: { id: "you", name: "You", accountType: "user", profileImgLink: null },
    clientCommentId: `own-${seq}`,
    visibility: "team",
    text: `text ${seq}`,
    mentions: [],
    files: [],
    createdAt: at(10 * seq),
    editedAt: null,
    deletedAt: null,
    ...change,
  };
}

function unsent(clientCommentId: string): UnsentComment {
  return {
    clientCommentId,
    subject: { projectId: "p" },
    text: "x",
    visibility: "team",
    files: [],
    writtenAt: at(0),
    state: "sending",
  };
}

function entry(second: number) {
  return { key: String(second), at: at(second), content: null };
}

function at(second: number): string {
  return `2026-11-20T10:00:${String(second).padStart(2, "0")}.000Z`;
}
