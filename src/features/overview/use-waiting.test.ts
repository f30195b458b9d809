import type { ConversationCover, Person, Turn } from "@server/contract/views";
import { expect, test } from "vitest";
import { waitingSince } from "./use-waiting";

const since = "2026-11-27T09:00:00.000Z";
const turn = { owes: "firm", since, businessMinutes: 0, businessDays: 0, answerBy: null, clock: null } satisfies Turn;
const ravi: Person = { id: "ravi", name: "Ravi", accountType: "admin", profileImgLink: null };
const cover: ConversationCover = { person: ravi, until: null };

test.each([
  ["for its admin", { turn, cover: null, coversFor: null }, since],
  ["for who covers it", { turn, cover, coversFor: { ...ravi, id: "asha" } }, since],
  ["not for whoever has handed it over", { turn, cover, coversFor: null }, undefined],
  [
    "not while its client owes an answer",
    { turn: { ...turn, owes: "client" }, cover: null, coversFor: null },
    undefined,
  ],
] as const)("a conversation waits %s", (_whom, conversation, expected) => {
  expect(waitingSince(conversation)).toBe(expected);
});
