import type { Turn } from "@server/contract/views";
import { expect, test } from "vitest";
import { describeAge, describeTurn, describeYoung, isPastDay } from "./turn-text";

/** Local times: a Friday from nine to six, asked on Thursday at five. */
const at = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute);
const TURN: Turn = {
  owes: "firm",
  since: at(19, 17).toISOString(),
  businessMinutes: 60,
  businessDays: 0,
  answerBy: at(20, 17).toISOString(),
  clock: {
    minutesBefore: 60,
    runsFrom: at(20, 9).toISOString(),
    runsUntil: at(20, 18).toISOString(),
    minutesPerDay: 540,
  },
};
const firm = { side: "firm", clientName: "Meera Rao" } as const;
const client = { side: "client" } as const;

test.each([
  ["before it opens", at(20, 7), "1 h"],
  ["while it is open", at(20, 11, 30), "3 h"],
  ["after a business day", at(20, 17), "1 d"],
  ["over the weekend", at(22, 12), "1 d"],
])("the age goes on with business time %s", (_, now, age) => {
  expect(describeAge(TURN, now)).toBe(age);
});

test("the firm reads for whom it waits and how long, and what is late", () => {
  const owed = (owes: Turn["owes"]) => describeTurn({ ...TURN, owes }, { reader: firm, now: at(20, 9, 5) });
  expect([owed("firm"), owed("client"), owed("nobody")]).toEqual([
    "Waiting for us · 1 h",
    "Waiting for Meera · 1 h",
    null,
  ]);
  expect([isPastDay(TURN, at(20, 16, 59)), isPastDay(TURN, at(20, 17))]).toEqual([false, true]);
  expect(describeAge({ ...TURN, clock: null, businessMinutes: 40 }, at(20, 9))).toBe("40 min");
});

test("what came after hours waits without an age until the next business day", () => {
  const clock = { minutesBefore: 0, runsFrom: at(20, 9).toISOString(), runsUntil: at(20, 18).toISOString() };
  const late: Turn = { ...TURN, businessMinutes: 0, clock: { ...clock, minutesPerDay: 540 } };
  const texts = [at(19, 22), at(20, 9, 1)].map((now) => describeTurn(late, { reader: firm, now }));
  expect(texts).toEqual(["Waiting for us", "Waiting for us · 1 min"]);
});

test.each([
  [at(20, 9), "We answer by today 17:00"],
  [at(19, 18), "We answer by tomorrow 17:00"],
  [at(16, 9), "We answer by Friday 17:00"],
  [at(2, 9), "We answer by 20 Nov 2026"],
  [at(20, 17, 1), "We answer soon"],
])("a client reads by when the firm answers, and never how late it is: at %s", (now, text) => {
  expect(describeTurn(TURN, { reader: client, now })).toBe(text);
});

test("where nothing is promised a client reads that it is worked on", () => {
  const sentBack = { ...TURN, answerBy: null };
  expect(describeTurn(sentBack, { reader: client, now: at(23, 17) })).toBe("We are working on it");
});

test("a promise stands above what was promised only, and above nothing stands nothing", () => {
  const [promised, changes] = [{ answerBy: "2026-11-23T12:00:00.000Z" }, { answerBy: null }];
  expect(describeYoung([])).toBeNull();
  expect(describeYoung([promised, promised])).toBe("Within the promised business day");
  expect(describeYoung([promised, changes])).toBe("Less than a business day");
});
