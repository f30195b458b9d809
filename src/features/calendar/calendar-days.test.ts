import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundleProgram, type Program } from "../../../scripts/bundle";
import {
  daysOf,
  describeDay,
  isMonthInReach,
  mondayOf,
  rangeOf,
  shiftDay,
  shiftMonth,
  sundayOf,
  weekdays,
  weeksOf,
} from "./calendar-days";

let program: Program;

beforeAll(async () => {
  program = await bundleProgram(ASK);
});
afterAll(() => program.remove());

test("no day shifts, whatever the time zone of the reader", () => {
  const atHome = inZone("UTC");
  expect(atHome).toMatchObject({
    offset: 0,
    first: "2026-10-26",
    last: "2026-12-06",
    long: "Friday, 20 November 2026",
    month: "November 2026",
    numbers: ["30", "1 Dec"],
    acrossClocks: ["2026-10-26", "2026-04-04"],
    formatted: "20 Nov 2026",
    due: "21 Nov 2026 · tomorrow",
    group: "Next 7 days",
    dueMonday: "Tomorrow",
  });
  // A worker thread keeps the zone it began with: each zone takes a process of its own.
  expect(inZone("Pacific/Honolulu")).toEqual({ ...atHome, offset: 600 });
  // There Monday has begun while it is Sunday noon in Greenwich.
  expect(inZone("Pacific/Kiritimati")).toEqual({ ...atHome, offset: -840, dueMonday: "Today" });
  expect(inZone("Pacific/Chatham")).toEqual({ ...atHome, offset: -825, dueMonday: "Today" });
});

test("each month of a hundred years is made of whole weeks that hold all its days once", () => {
  for (let month = "2000-01"; isMonthInReach(month); month = shiftMonth(month, 1)) {
    const days = weeksOf(month).flat();
    expect(days.length % 7).toBe(0);
    expect(new Set(days).size).toBe(days.length);
    expect(daysOf(month)[0]).toBe(`${month}-01`);
  }
});

test("columns are Monday to Sunday", () => {
  expect(weekdays()).toEqual(["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]);
});

test("a day keeps its number from month to month as far as the month has it", () => {
  expect(shiftDay("2026-01-31", { months: 1 })).toBe("2026-02-28");
  expect(shiftDay("2028-02-29", { years: 1 })).toBe("2029-02-28");
  expect(shiftMonth("2026-12", 1)).toBe("2027-01");
  expect(shiftMonth("2026-01", -1)).toBe("2025-12");
});

test("a week is Monday to Sunday", () => {
  expect(mondayOf("2026-11-22")).toBe("2026-11-16");
  expect(sundayOf("2026-11-16")).toBe("2026-11-22");
  expect(mondayOf("2027-01-01")).toBe("2026-12-28");
});

test("the server is asked for no day that it would refuse", () => {
  expect(rangeOf("2026-11")).toEqual({ from: "2026-10-26", to: "2026-12-06" });
  expect(rangeOf("2000-01").from).toBe("2000-01-01");
  expect(rangeOf("2100-12").to).toBe("2100-12-31");
});

test("days near today have names", () => {
  expect(describeDay("2026-11-20", "2026-11-20")).toBe("Today");
  expect(describeDay("2026-11-19", "2026-11-20")).toBe("Yesterday");
  expect(describeDay("2026-12-01", "2026-11-30")).toBe("Tomorrow");
  expect(describeDay("2026-11-18", "2026-11-20")).toBe("Wednesday, 18 November");
  expect(describeDay("2025-11-18", "2026-11-20")).toBe("Tuesday, 18 November 2025");
});

const ASK = `
  import * as days from "./src/features/calendar/calendar-days.ts";
  import * as format from "./src/lib/format.ts";
  import * as tasks from "./src/features/tasks/my-tasks.ts";
  console.log(JSON.stringify({
    offset: new Date(2026, 10, 20).getTimezoneOffset(),
    first: days.weeksOf("2026-11")[0][0],
    last: days.weeksOf("2026-11").at(-1)[6],
    long: days.formatLongDay("2026-11-20"),
    month: days.formatMonth("2026-11"),
    numbers: ["2026-11-30", "2026-12-01"].map(days.dayNumber),
    acrossClocks: [days.shiftDay("2026-10-24", { days: 2 }), days.shiftDay("2026-03-28", { weeks: 1 })],
    formatted: format.formatDay("2026-11-20"),
    due: format.dueState("2026-11-21", "2026-11-20").label,
    group: tasks.groupOf({ completed: false, dueDate: "2026-11-22" }, "2026-11-20"),
    dueMonday: tasks.groupOf(
      { completed: false, dueDate: "2026-11-23" },
      format.today(new Date("2026-11-22T11:30:00Z")),
    ),
  }));
`;

function inZone(zone: string): object {
  const answer = execFileSync(process.execPath, [program.path], {
    env: { ...process.env, TZ: zone },
    encoding: "utf8",
  });
  return JSON.parse(answer);
}
