import { expect, test } from "vitest";
import { authorOf, originOf, type ThreadPeople, threadKeyOf } from "./thread-people";

const asha = { id: "asha", name: "Asha Kulkarni", accountType: "admin" as const, profileImgLink: null };
const meera = { id: "meera", name: "Meera Rao" };

const ownerReads: ThreadPeople = { ownId: "asha", isAdmin: true, partner: meera, coversFor: null };
const coverReads: ThreadPeople = { ownId: "ravi", isAdmin: true, partner: meera, coversFor: asha };
const clientReads: ThreadPeople = { ownId: "meera", isAdmin: false, partner: asha, coversFor: null };

test("owner, cover and client each read who wrote, by name, and on which side", () => {
  const written = [
    { senderId: "asha", senderName: null },
    { senderId: "ravi", senderName: "Ravi Shah" },
    { senderId: "meera", senderName: null },
  ];
  const read = (people: ThreadPeople) => written.map((one) => `${authorOf(one, people)}, ${originOf(one, people)}`);
  expect(read(ownerReads)).toEqual(["You, self", "Ravi Shah, ours", "Meera Rao, theirs"]);
  expect(read(coverReads)).toEqual(["Asha Kulkarni, ours", "You, self", "Meera Rao, theirs"]);
  expect(read(clientReads)).toEqual(["Asha Kulkarni, theirs", "Ravi Shah, theirs", "You, self"]);
});

test("a line of the server is nobody's, in whose name it may be stored", () => {
  expect(originOf({ senderId: "asha", kind: "system" }, ownerReads)).toBe("system");
});

test("a covered conversation shares no drafts and unsent messages with one's own with the same person", () => {
  const own = { partnerId: "meera", conversationId: "own" };
  // Before and after the first message, and as the versions before have stored it.
  expect(threadKeyOf({ ...own, conversationId: null })).toBe(threadKeyOf(own));
  expect(threadKeyOf({ partnerId: "meera", conversationId: "covered", isCover: true })).not.toBe(threadKeyOf(own));
});
