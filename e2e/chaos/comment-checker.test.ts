import { expect, test } from "vitest";
import { check } from "./checker";
import type { CommentItem, CommentRow } from "./comment-history";
import {
  calls,
  comment,
  comments,
  deletion,
  delivered,
  edit,
  goodDiscussion,
  notifications,
  showing,
  shownTo,
} from "./good-discussion";
import { send } from "./good-history";
import type { History, Operation, Violation } from "./history";

/*
 * Every test breaks one thing of a good history of comments and names the promise that the checker must find broken.
 */

test("a good history of comments breaks no promise", () => {
  const early = [showing("asha", shownTo("asha")), showing("meera", shownTo("meera")), delivered("meera")];
  expect(kinds(goodDiscussion({ early }))).toEqual([]);
});

test("an acknowledged comment without a row is lost, and so is a number without a comment", () => {
  const fifth = comment(5, { key: "another key", label: "comment 5", answer: { placeId: "task", seq: 5 } });
  expect(kinds(goodDiscussion({ calls: [...calls(), fifth] }))).toEqual(["lost"]);
  const discussions = [{ taskId: "task", lastSeq: 5, lastClientSeq: 3 }];
  expect(kinds(goodDiscussion({ rows: { discussions } }))).toEqual(["lost"]);
});

test("a key with two comments is doubled, and so is one text under two keys", () => {
  const again = (key: string) => ({
    discussions: [{ taskId: "task", lastSeq: 5, lastClientSeq: 4 }],
    comments: [...comments, { ...rowOf(2), id: "id 5", seq: 5, clientSeq: 4, key }],
  });
  for (const key of ["comment key 2", "another key"])
    expect(kinds(goodDiscussion({ rows: again(key) }))).toContain("doubled");
});

test("a comment that is stored elsewhere than was acknowledged has changed", () => {
  const moved = calls().map((one) =>
    one.key === "comment key 3" ? { ...one, answer: { placeId: "task", seq: 2 } } : one,
  );
  expect(kinds(goodDiscussion({ calls: moved }))).toEqual(["changed"]);
  const ofTeam = calls().map((one) =>
    one.key === "comment key 2" ? { ...one, answer: { placeId: "task", seq: 2 } } : one,
  );
  expect(kinds(goodDiscussion({ calls: ofTeam }))).toEqual(["changed"]);
});

test("comments that stand in another order than they were written one after the other are reordered", () => {
  const late = calls().map((one) => (one.key === "comment key 1" ? { ...one, start: 60, end: 65 } : one));
  expect(kinds(goodDiscussion({ calls: late }))).toEqual(["reordered"]);
});

test("a gap in what clients count, and a comment of the team among it, are found", () => {
  expect(kinds(goodDiscussion({ rows: { comments: changed(3, { clientSeq: 4 }) } }))).toContain("reordered");
  expect(kinds(goodDiscussion({ rows: { comments: changed(1, { clientSeq: 9 }) } }))).toContain("foreign");
  const discussions = [{ taskId: "task", lastSeq: 4, lastClientSeq: 4 }];
  expect(kinds(goodDiscussion({ rows: { discussions } }))).toEqual(["reordered"]);
});

test("a comment that nobody wrote, that was refused, or for others than it was written for, is found", () => {
  const without = calls().filter(({ key }) => key !== "comment key 2");
  expect(kinds(goodDiscussion({ calls: without }))).toContain("invented");
  const refused = calls().map((one) =>
    one.key === "comment key 2" ? { ...one, outcome: "failed" as const, answer: null } : one,
  );
  expect(kinds(goodDiscussion({ calls: refused }))).toEqual(["invented", "refused"]);
  const forTeam = calls().map((one) => (one.key === "comment key 3" ? { ...one, visibility: "team" as const } : one));
  expect(kinds(goodDiscussion({ calls: forTeam }))).toEqual(["foreign"]);
  const elsewhere = calls().map((one) =>
    one.key === "comment key 3" ? { ...one, taskId: "other", answer: null } : one,
  );
  expect(kinds(goodDiscussion({ calls: elsewhere }))).toEqual(["foreign"]);
});

test("an acknowledged edit that is not there, or that an earlier one has replaced, is found", () => {
  const first = { rows: { comments: changed(3, { label: "comment 3" }) }, ...shows(3, "comment 3") };
  expect(kinds(goodDiscussion(first))).toEqual(["changed"]);
  const later = edit(3, "comment 3, edited again", { start: 48, end: 49 });
  expect(kinds(goodDiscussion({ calls: [...calls(), later] }))).toEqual(["changed"]);
  const unanswered = calls().map((one) => (one.operation === "edit" ? { ...one, outcome: "unknown" as const } : one));
  expect(kinds(goodDiscussion({ calls: [...unanswered, later] }))).toEqual([]);
  const nobodys = { rows: { comments: changed(3, { label: "something else" }) }, ...shows(3, "something else") };
  expect(kinds(goodDiscussion(nobodys))).toEqual(["invented"]);
});

test("a deleted comment that is there, and one that is gone and nobody deleted, are found", () => {
  expect(kinds(goodDiscussion({ calls: [...calls(), deletion(3)] }))).toEqual(["changed"]);
  expect(kinds(goodDiscussion({ calls: [...calls(), deletion(3, { outcome: "unknown" })] }))).toEqual([]);
  expect(kinds(goodDiscussion({ calls: calls().filter(({ operation }) => operation !== "delete") }))).toEqual(["lost"]);
});

test("an edit may be refused once the comment is being deleted, and not otherwise", () => {
  const refused = { outcome: "failed", code: "CONFLICT" } as const;
  expect(kinds(goodDiscussion({ calls: [...calls(), edit(4, "late", { start: 48, end: 49, ...refused })] }))).toEqual(
    [],
  );
  expect(kinds(goodDiscussion({ calls: [...calls(), edit(3, "in time", refused)] }))).toEqual(["refused"]);
});

test("a comment of the team on a client's screen, in a client's stream or answer, is foreign", () => {
  const [ofTeam] = shownTo("asha");
  if (!ofTeam) throw new Error("there is one");
  expect(kinds(goodDiscussion({ early: [showing("meera", [ofTeam])] }))).toEqual(["foreign"]);
  expect(kinds(goodDiscussion({ early: [delivered("meera", ofTeam)] }))).toEqual(["foreign"]);
  // Even where it says of itself that clients may see it.
  expect(kinds(goodDiscussion({ early: [delivered("meera", { ...ofTeam, visibility: "client" })] }))).toEqual([
    "foreign",
  ]);
  expect(kinds(goodDiscussion({ read: [ofTeam, ...shownTo("meera")] }))).toEqual(["foreign"]);
});

test("numbers that count the team's comments, and cursors of the other side, are found with a client", () => {
  const counted = shownTo("meera").map((item) => ({ ...item, seq: (item.seq ?? 0) + 1 }));
  expect(kinds(goodDiscussion({ early: [showing("meera", counted)] }))).toEqual(["changed"]);
  expect(kinds(goodDiscussion({ early: [delivered("meera", { eventId: "team-3" })] }))).toEqual(["foreign"]);
});

test("a stream that tells a change again doubles it", () => {
  expect(kinds(goodDiscussion({ early: [delivered("asha", { previousEventId: "team-2" })] }))).toEqual(["doubled"]);
  expect(kinds(goodDiscussion({ early: [delivered("asha", { previousEventId: "team-3" })] }))).toEqual(["doubled"]);
});

test("what a stream has left out is lost, though the screen shows it", () => {
  expect(kinds(goodDiscussion({ streamed: shownTo("meera").slice(0, 2) }))).toEqual(["lost"]);
  const unedited = shownTo("meera").map((item) => (item.id === "id 3" ? { ...item, label: "comment 3" } : item));
  expect(kinds(goodDiscussion({ streamed: unedited }))).toEqual(["changed"]);
});

test("a screen, or an answer, that differs from the rows in the end is found", () => {
  const less = shownTo("meera").slice(1);
  expect(kinds(goodDiscussion({ shown: less }))).toEqual(["lost"]);
  expect(kinds(goodDiscussion({ read: less }))).toEqual(["lost"]);
  expect(kinds(goodDiscussion({ read: null }))).toEqual(["refused"]);
  const waiting: CommentItem = { seq: null, id: "comment key 5", label: "comment 5", visibility: "client" };
  expect(kinds(goodDiscussion({ shown: [...shownTo("meera"), waiting] }))).toEqual(["lost"]);
});

test("a comment that a screen shows twice is doubled, and one that stands too low reordered", () => {
  const [one, two, three] = shownTo("asha");
  if (!one || !two || !three) throw new Error("there are four");
  expect(kinds(goodDiscussion({ early: [showing("asha", [one, two, two])] }))).toEqual(["doubled"]);
  const again = { ...two, id: "comment key 2", seq: null };
  expect(kinds(goodDiscussion({ early: [showing("asha", [one, two, again])] }))).toEqual(["doubled"]);
  expect(kinds(goodDiscussion({ early: [showing("asha", [two, one])] }))).toEqual(["reordered"]);
});

test("a comment that goes from an open discussion has vanished, and a deleted one does not come back", () => {
  const all = shownTo("asha");
  const without = all.filter(({ id }) => id !== "id 2");
  expect(kinds(goodDiscussion({ early: [showing("asha", all), showing("asha", without)] }))).toEqual(["vanished"]);
  expect(kinds(goodDiscussion({ early: [showing("asha", all), showing("asha", all.slice(2))] }))).toEqual([]);
  const back = all.map((item) => (item.id === "id 4" ? { ...item, label: "comment 4" } : item));
  expect(kinds(goodDiscussion({ early: [showing("asha", back), showing("asha", all)] }))).toEqual([]);
  expect(kinds(goodDiscussion({ early: [showing("asha", all), showing("asha", back)] }))).toEqual(["changed"]);
});

test("whoever is notified twice, of their own, of what they may not see, or not at all, is found", () => {
  const more = (userId: string, commentId: string) => ({ notifications: [...notifications, { userId, commentId }] });
  for (const [userId, commentId] of [
    ["asha", "id 2"],
    ["asha", "id 3"],
    ["meera", "id 1"],
    ["vikram", "id 2"],
  ] as const)
    expect(kinds(goodDiscussion({ rows: more(userId, commentId) }))).toEqual(["notified"]);
  expect(kinds(goodDiscussion({ rows: { notifications: notifications.slice(1) } }))).toEqual(["notified"]);
});

test("an outsider who is answered about a task has got what is foreign", () => {
  const probe: Partial<Operation> = { operation: "probe", personId: "vikram", mustFailWith: "NOT_FOUND", answer: null };
  expect(kinds(goodDiscussion({ calls: [...calls(), send(9, probe)] }))).toEqual(["foreign"]);
});

function rowOf(seq: number): CommentRow {
  const row = comments.find((one) => one.seq === seq);
  if (!row) throw new Error(`there is no comment ${seq}`);
  return row;
}

function changed(seq: number, change: Partial<CommentRow>): CommentRow[] {
  return comments.map((row) => (row.seq === seq ? { ...row, ...change } : row));
}

/** The same text on the screen, in the stream and in the answer. */
function shows(seq: number, label: string) {
  const items = shownTo("meera").map((item) => (item.id === `id ${seq}` ? { ...item, label } : item));
  return { shown: items, streamed: items, read: items };
}

/** Each once, in the order of finding. */
function kinds(history: History): Violation["kind"][] {
  return [...new Set(check(history).map(({ kind }) => kind))];
}
