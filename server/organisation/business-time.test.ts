import { describe, expect, test } from "vitest";
import {
  afterBusinessMinutes,
  type BusinessCalendar,
  businessMinutesBetween,
  minutesOfBusinessDay,
  turnOf,
} from "./business-time";

const USUAL: BusinessCalendar = {
  timeZone: "Asia/Kolkata",
  businessHours: { days: [1, 2, 3, 4, 5], from: "09:00", to: "18:00" },
  holidays: ["2026-11-24"],
};
/** A moment on the clocks of Kolkata. */
const kolkata = (moment: string) => new Date(`${moment}+05:30`);
const between = (from: Date, to: Date, calendar = USUAL) => businessMinutesBetween(calendar, { from, to });
const after = (from: Date, minutes: number, calendar = USUAL) => afterBusinessMinutes(calendar, { from, minutes });

test.each([
  ["within a day", "2026-11-20T10:00", "2026-11-20T12:30", 150],
  ["over a night", "2026-11-19T17:00", "2026-11-20T10:00", 120],
  ["over a weekend", "2026-11-20T17:00", "2026-11-23T10:00", 120],
  ["over a holiday", "2026-11-23T17:00", "2026-11-25T10:00", 120],
  ["before and after hours", "2026-11-20T18:00", "2026-11-23T09:00", 0],
  ["part of a minute", "2026-11-20T10:00:30", "2026-11-20T10:02:00", 1],
  ["backwards", "2026-11-20T12:00", "2026-11-20T10:00", 0],
  ["over years", "2024-01-01T09:00", "2024-12-31T18:00", 262 * 540],
])("counts business minutes %s", (_, from, to, minutes) => {
  expect(between(kolkata(from), kolkata(to))).toBe(minutes);
});

describe("where clocks change", () => {
  const nights = (timeZone: string) => ({
    timeZone,
    businessHours: { days: [1, 2, 3, 4, 5, 6, 7], from: "00:00", to: "06:00" },
    holidays: [],
  });
  const local = (moment: string, offset: string) => new Date(`${moment}${offset}`);

  test("a shift that the change falls into is an hour shorter or longer", () => {
    const [spring, autumn] = ["2026-03-08", "2026-11-01"];
    const newYork = nights("America/New_York");
    expect(between(local(`${spring}T00:00`, "-05:00"), local(`${spring}T12:00`, "-04:00"), newYork)).toBe(300);
    expect(between(local(`${autumn}T00:00`, "-04:00"), local(`${autumn}T12:00`, "-05:00"), newYork)).toBe(420);
  });

  test("a day that begins at one o'clock, since midnight is skipped, begins with its first moment", () => {
    const santiago = nights("America/Santiago");
    expect(between(local("2026-09-05T23:00", "-04:00"), local("2026-09-06T12:00", "-03:00"), santiago)).toBe(300);
  });

  test("a time that comes twice is its first occurrence", () => {
    const early = { ...nights("America/New_York"), businessHours: { days: [7], from: "00:30", to: "01:30" } };
    expect(between(local("2026-11-01T00:00", "-04:00"), local("2026-11-01T12:00", "-05:00"), early)).toBe(60);
  });
});

test("business minutes are those that a clock on the wall counts one by one", { timeout: 60_000 }, () => {
  const random = numbersFrom(20261123);
  for (let round = 0; round < 40; round++) {
    const calendar = anyCalendar(random);
    const from = new Date(pick(CHANGES, random) + Math.floor((random() - 0.6) * 6 * 1_440) * 60_000);
    const to = new Date(from.getTime() + Math.floor(random() * 6 * 1_440) * 60_000);
    const counted = openMinutes(calendar, from, to);
    const said = { calendar, from: from.toISOString(), to: to.toISOString() };
    expect({ ...said, minutes: between(from, to, calendar) }).toEqual({ ...said, minutes: counted.length });
    // The way back: after the last of them has passed, and not a moment earlier.
    const last = counted.at(-1);
    const reached = last === undefined ? from : new Date(last + 60_000);
    expect({ ...said, at: after(from, counted.length, calendar) }).toEqual({ ...said, at: reached });
  }
});

test("24 hours are one business day", () => {
  expect(minutesOfBusinessDay(USUAL)).toBe(540);
  const asked = (since: string) =>
    turnOf(USUAL, { owes: "firm", since: kolkata(since) }, kolkata("2026-11-26T10:00")).answerBy;
  expect(asked("2026-11-18T10:00")).toBe(kolkata("2026-11-19T10:00").toISOString());
  expect(asked("2026-11-20T17:00")).toBe(kolkata("2026-11-23T17:00").toISOString());
  // On a Saturday, and on the evening before a holiday.
  expect(asked("2026-11-21T11:00")).toBe(kolkata("2026-11-23T18:00").toISOString());
  expect(asked("2026-11-23T20:00")).toBe(kolkata("2026-11-25T18:00").toISOString());
});

test("a turn says for how long it is owed, and promises only for the firm", () => {
  const now = kolkata("2026-11-26T10:00");
  const since = kolkata("2026-11-20T10:00").toISOString();
  // Friday, Monday and Wednesday, then an hour.
  const counted = { since, businessMinutes: 3 * 540, businessDays: 3 };
  const clock = {
    minutesBefore: 3 * 540 - 60,
    runsFrom: kolkata("2026-11-26T09:00").toISOString(),
    runsUntil: kolkata("2026-11-26T18:00").toISOString(),
    minutesPerDay: 540,
  };
  expect(turnOf(USUAL, { owes: "client", since }, now)).toEqual({ owes: "client", ...counted, answerBy: null, clock });
  expect(turnOf(USUAL, { owes: "firm", since }, now)).toMatchObject({ owes: "firm", ...counted });
  expect(turnOf(USUAL, { owes: "nobody", since: null }, now)).toMatchObject({ owes: "nobody", since: null });
});

/** Moments near which clocks change in one of the zones below. */
const CHANGES = ["2026-03-08", "2026-03-29", "2026-04-05", "2026-10-04", "2026-10-25", "2026-11-01", "2026-12-31"].map(
  (day) => Date.parse(`${day}T12:00Z`),
);
const ZONES = [
  "Asia/Kolkata",
  "Europe/London",
  "America/New_York",
  "Australia/Lord_Howe",
  "Pacific/Chatham",
  "Pacific/Kiritimati",
  "UTC",
];
/** Times of day at which no clock of these zones changes: those are in examples of their own. */
const OPENS = ["00:00", "00:30", "05:15", "09:00"];
const CLOSES = ["05:30", "12:00", "18:00", "23:59"];

function anyCalendar(random: () => number): BusinessCalendar {
  const days = [1, 2, 3, 4, 5, 6, 7].filter(() => random() < 0.7);
  return {
    timeZone: pick(ZONES, random),
    businessHours: { days: days.length > 0 ? days : [7], from: pick(OPENS, random), to: pick(CLOSES, random) },
    holidays: ["2026-03-09", "2026-03-29", "2026-10-26", "2026-11-02", "2027-01-01"].filter(() => random() < 0.4),
  };
}

/** The minutes between two instants, one by one, at which the clock on the wall shows business time. */
function openMinutes({ timeZone, businessHours, holidays }: BusinessCalendar, from: Date, to: Date): number[] {
  const wall = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" });
  const open: number[] = [];
  for (let at = from.getTime(); at < to.getTime(); at += 60_000) {
    const [day = "", time = ""] = wall.format(at).split(" ");
    const weekDay = new Date(`${day}T00:00Z`).getUTCDay() || 7;
    const isOpen = time >= businessHours.from && time < businessHours.to;
    if (isOpen && businessHours.days.includes(weekDay) && !holidays.includes(day)) open.push(at);
  }
  return open;
}

function pick<Value>(values: readonly Value[], random: () => number): Value {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined) throw new Error("Nothing to pick from.");
  return value;
}

/** Numbers from 0 to 1, always the same for a seed. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

test("a page that stays open counts on until the end of the business day, as the server does", () => {
  // While it is open, on a Saturday, in the evening before a holiday, and on the day of the question.
  for (const [written, asked] of [
    ["2026-11-20T10:00", "2026-11-23T11:20"],
    ["2026-11-20T10:00", "2026-11-21T11:00"],
    ["2026-11-20T10:00", "2026-11-23T21:00"],
    ["2026-11-23T11:00", "2026-11-23T11:20"],
  ] as const) {
    const since = kolkata(written);
    const turn = turnOf(USUAL, { owes: "firm", since }, kolkata(asked));
    const [from, until] = [Date.parse(turn.clock?.runsFrom ?? ""), Date.parse(turn.clock?.runsUntil ?? "")];
    for (let at = kolkata(asked).getTime(); at <= until; at += 7 * 60_000) {
      const counted = (turn.clock?.minutesBefore ?? 0) + Math.floor(Math.max(0, at - from) / 60_000);
      expect(counted).toBe(between(since, new Date(at)));
    }
  }
});
