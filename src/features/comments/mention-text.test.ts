import { expect, test } from "vitest";
import { EMPTY_TEXT, fromSent, insertMention, joinTexts, mentionAt, mentionedIn, toSent } from "./mention-text";

const ROHAN = { id: "0198c5a2-7a37-7000-8000-000000000001", name: "Rohan Mehta" };
const ROHANA = { id: "0198c5a2-7a37-7000-8000-000000000002", name: "Rohan" };
const DOUBLE = { id: "0198c5a2-7a37-7000-8000-000000000003", name: "Rohan Mehta" };
const ODD = { id: "0198c5a2-7a37-7000-8000-000000000004", name: "A ] \\ (b) +" };

test("what is sent comes back as it was typed, whatever a name holds", () => {
  for (const person of [ROHAN, ODD]) {
    const typed = { text: `Hi @${person.name}, see @${person.name}!`, mentioned: [person] };
    expect(toSent(typed)).toContain(`](person:${person.id})`);
    expect(fromSent(toSent(typed))).toEqual(typed);
  }
});

test("only whole names of people who were chosen are mentions", () => {
  const typed = { text: "@Rohan Mehtab @Rohan Mehta x@Rohan @Rohan @Meera", mentioned: [ROHANA, ROHAN] };
  expect(toSent(typed)).toBe(
    `@[Rohan](person:${ROHANA.id}) Mehtab @[Rohan Mehta](person:${ROHAN.id}) x@Rohan @[Rohan](person:${ROHANA.id}) @Meera`,
  );
  expect(mentionedIn({ text: "@Rohan Mehta", mentioned: [ROHANA, ROHAN] })).toEqual([ROHAN]);
});

test("two people of one name are told apart", () => {
  const first = insertMention({ text: "@roh", mentioned: [] }, { person: ROHAN, from: 0, caret: 4 });
  expect(first).toEqual({ text: "@Rohan Mehta ", mentioned: [ROHAN], caret: 13 });
  const both = insertMention({ ...first, text: `${first.text}@` }, { person: DOUBLE, from: 13, caret: 14 });
  expect(toSent(both)).toBe(`@[Rohan Mehta](person:${ROHAN.id}) @[Rohan Mehta](person:${DOUBLE.id}) `);
  expect(toSent(fromSent(toSent(both)))).toBe(toSent(both));
});

test("two texts become one with the mentions of both, also of people of one name", () => {
  const [one, other] = [ROHAN, DOUBLE].map((person) => ({ text: "Ask @Rohan Mehta", mentioned: [person] }));
  if (!one || !other) throw new Error("two texts");
  expect(toSent(joinTexts(one, other))).toBe(`${toSent(one)}\n\n${toSent(other)}`);
  expect(joinTexts(one, EMPTY_TEXT)).toEqual(one);
  expect(joinTexts({ text: "", mentioned: [] }, other)).toEqual(other);
});

test("an @ that begins a word asks for people, and one in an address does not", () => {
  expect(mentionAt("Hi @Ro", 6)).toEqual({ from: 3, query: "Ro" });
  expect(mentionAt("@", 1)).toEqual({ from: 0, query: "" });
  expect(mentionAt("(@Rohan Me", 10)).toEqual({ from: 1, query: "Rohan Me" });
  expect(mentionAt("a@b", 3)).toBeNull();
  expect(mentionAt("@Rohan Mehta and", 16)).toBeNull();
  expect(mentionAt("@Ro\n", 4)).toBeNull();
});
