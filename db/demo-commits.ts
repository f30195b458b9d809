import type { DemoPersonName } from "./demo-people";

/** A commit of the demo. `tasks` and `closes` are the numbers of the tasks that its message names. */
export interface DemoCommit {
  message: string;
  by: DemoPersonName;
  hoursAgo: number;
  tasks?: number[];
  closes?: number[];
}

const DAY = 24;

/** By repository, newest first. */
export const DEMO_COMMITS: Record<string, DemoCommit[]> = {
  harbour: [
    {
      message:
        "Receipt prints in Marathi and English\n\nThe Marathi text needs a line more than we thought. Fixes HBP-3",
      by: "rohan",
      hoursAgo: 2.5,
      closes: [3],
    },
    { message: "HBP-1 Arrow keys move a berth across the week", by: "rohan", hoursAgo: 5, tasks: [1] },
    {
      message: "HBP-1: Long berth names wrap on a phone instead of losing letters",
      by: "rohan",
      hoursAgo: 27,
      tasks: [1],
    },
    { message: "Third failed payment tells the desk (HBP-2)", by: "mitali", hoursAgo: 30, tasks: [2] },
    { message: "HBP-2 Retry a payment after 2, 10 and 60 seconds", by: "mitali", hoursAgo: 52, tasks: [2] },
    {
      message:
        "Keep the week when somebody switches between calendar and day sheet, so that nobody has to look for it again",
      by: "mitali",
      hoursAgo: 54,
    },
    { message: "Merge branch 'HBP-1-week-view'", by: "asha", hoursAgo: 3 * DAY + 1, tasks: [1] },
    { message: "Update the harbour's list of berths: forty-one now", by: "rohan", hoursAgo: 3 * DAY + 4 },
    { message: "Closes HBP-6: import the tide table of 2027", by: "rohan", hoursAgo: 6 * DAY, closes: [6] },
    {
      message: "HBP-6 Compare with last year's tides and say what differs",
      by: "rohan",
      hoursAgo: 7 * DAY,
      tasks: [6],
    },
    {
      message: "Slot rules: two hours, one boat, no overlap (fixes HBP-7)",
      by: "mitali",
      hoursAgo: 11 * DAY,
      closes: [7],
    },
    { message: "Day sheet: first sketch of the print layout, see HBP-8", by: "asha", hoursAgo: 12 * DAY, tasks: [8] },
    {
      message: "Seed forty berths from the harbour's sheet\n\nfixes HBP-5",
      by: "rohan",
      hoursAgo: 20 * DAY,
      closes: [5],
    },
    { message: "Start of the booking portal", by: "asha", hoursAgo: 38 * DAY },
  ],
  kartavya: [
    { message: "KGT-3 Field test: write down the fix's age with each check-in", by: "rohan", hoursAgo: 20, tasks: [3] },
    {
      message: "A fix older than a minute counts as unknown (closes KGT-2)",
      by: "mitali",
      hoursAgo: 3 * DAY + 6,
      closes: [2],
    },
    {
      message: "Fixes KGT-1: radius per campus, 120 m unless said otherwise",
      by: "rohan",
      hoursAgo: 5 * DAY,
      closes: [1],
    },
    { message: "Do not wake the GPS when the campus is closed", by: "mitali", hoursAgo: 8 * DAY },
    { message: "Move campus data out of the code", by: "rohan", hoursAgo: 11 * DAY },
  ],
  triage: [
    { message: "Intake form: one question a page, large type", by: "devika", hoursAgo: 9 },
    { message: "Summary for the nurse fits on one page", by: "mitali", hoursAgo: 33 },
    { message: "Describe the urgency levels in the words of the clinic", by: "devika", hoursAgo: 2 * DAY + 5 },
    { message: "First commit", by: "mitali", hoursAgo: 5 * DAY },
  ],
  seeds: [
    { message: "SC-4 Agent handbook: how to search without network", by: "rohan", hoursAgo: 26, tasks: [4] },
    {
      message: "Photos in two sizes, the whole one only on Wi-Fi (fixes SC-3)",
      by: "sanjay",
      hoursAgo: 2 * DAY + 7,
      closes: [3],
    },
    { message: "Search index is built once a day on the phone", by: "rohan", hoursAgo: 4 * DAY },
    { message: "Closes SC-2: search by name, crop and season offline", by: "rohan", hoursAgo: 6 * DAY, closes: [2] },
    { message: "Orders first, then changes, photos last\n\nfixes SC-1", by: "sanjay", hoursAgo: 13 * DAY, closes: [1] },
    { message: "Keep the order of the van's stops after a sync", by: "sanjay", hoursAgo: 16 * DAY },
    { message: "Catalogue opens in under a second on the oldest phone", by: "rohan", hoursAgo: 25 * DAY },
  ],
  buspass: [
    { message: "BPR-3: Reminder two weeks before the pass ends", by: "mitali", hoursAgo: 7, tasks: [3] },
    {
      message: "BPR-4 Refund when the counter refuses the photo: ask once, in writing",
      by: "farhan",
      hoursAgo: 29,
      tasks: [4],
    },
    {
      message: "Opening hours of seven counters; two answer by phone only (BPR-2)",
      by: "mitali",
      hoursAgo: 2 * DAY,
      tasks: [2],
    },
    { message: "Closes BPR-1: face in frame, plain wall", by: "farhan", hoursAgo: 5 * DAY, closes: [1] },
    { message: "Renewal form remembers what was typed", by: "farhan", hoursAgo: 10 * DAY },
    { message: "Say which document is missing, not that one is", by: "mitali", hoursAgo: 18 * DAY },
  ],
  feebook: [
    { message: "Version 1.2", by: "rohan", hoursAgo: 71 * DAY },
    { message: "Receipt by text message, without a link (fixes FBK-2)", by: "sanjay", hoursAgo: 76 * DAY, closes: [2] },
    { message: "Full, half and waived fees\n\ncloses FBK-1", by: "rohan", hoursAgo: 100 * DAY, closes: [1] },
  ],
  wiki: [
    { message: "Fixes OIW-1: leave rules on one page, with examples", by: "vikram", hoursAgo: 152 * DAY, closes: [1] },
    { message: "Search the wiki by the first letters of a title", by: "devika", hoursAgo: 160 * DAY },
  ],
  hostels: [{ message: "ARH-1 Six blocks with two wings each", by: "devika", hoursAgo: 11, tasks: [1] }],
};
