import type { DemoPersonName } from "./demo-people";

/** What the people of the demo have written to each other; oldest first, minutes before the seed. */
export interface DemoConversation {
  between: [DemoPersonName, DemoPersonName];
  /** `task`: the title of the task that it became. */
  messages: { by: DemoPersonName; text: string; minutesAgo: number; task?: string }[];
  /** How many of the newest messages each has not read; nothing for all read. */
  unread: Partial<Record<DemoPersonName, number>>;
  /** Who answers in the place of which of the two. */
  cover?: { by: DemoPersonName; inPlaceOf: DemoPersonName; forDays: number };
}

const HOUR = 60;
const DAY = 24 * HOUR;

export const DEMO_CONVERSATIONS: DemoConversation[] = [
  {
    between: ["asha", "meera"],
    messages: [
      {
        by: "meera",
        text: "Good morning. The harbour office has confirmed the list of berths.",
        minutesAgo: 3 * DAY + 95,
      },
      {
        by: "asha",
        text: "Thank you. Rohan will take it from here; you will see it in the calendar today.",
        minutesAgo: 3 * DAY + 80,
      },
      {
        by: "asha",
        text: "The week view is ready to try:\nhttps://harbour.sangam.example/week\nPlease check the long names in particular.",
        minutesAgo: DAY + 240,
      },
      {
        by: "meera",
        text: "Long names are fine on the tablet. On my phone the last two letters are cut.",
        minutesAgo: DAY + 190,
        task: "Berth calendar: week view",
      },
      { by: "asha", text: "Got it, thank you. We will fix that before the gate login.", minutesAgo: DAY + 170 },
      {
        by: "meera",
        text: "Can we move the review to Thursday? The gate staff change shift on Wednesday.",
        minutesAgo: 52,
      },
      {
        by: "meera",
        text: "And could two people from the gate join? They will use the day sheet most.",
        minutesAgo: 50,
      },
    ],
    unread: { asha: 2 },
  },
  {
    between: ["vikram", "meera"],
    messages: [
      {
        by: "vikram",
        text: "The lighting audit is on hold until the port has chosen the lamps. Is that still right?",
        minutesAgo: 6 * DAY,
      },
      {
        by: "meera",
        text: "Yes. The board meets next week, and I will write to you after that.",
        minutesAgo: 6 * DAY - 130,
      },
      { by: "vikram", text: "Good. Nothing gets lost in the meantime.", minutesAgo: 6 * DAY - 145 },
      {
        by: "vikram",
        text: "Farhan has the outage form as a draft, if you would like to see it before the board does.",
        minutesAgo: 85,
      },
    ],
    unread: { meera: 1 },
  },
  {
    between: ["asha", "rohan"],
    messages: [
      { by: "asha", text: "Do you have room for the payment retries this week?", minutesAgo: 2 * DAY + 60 },
      { by: "rohan", text: "From tomorrow. The receipt PDF comes first; it is nearly done.", minutesAgo: 2 * DAY + 41 },
      { by: "asha", text: "Fine.", minutesAgo: 2 * DAY + 40 },
      {
        by: "rohan",
        text: "The receipt prints in both languages now. Marathi needed one line more than we thought.",
        minutesAgo: 130,
      },
    ],
    unread: { asha: 1 },
  },
  {
    between: ["vikram", "mitali"],
    messages: [
      {
        by: "mitali",
        text: "The renewal reminder is a day late: the counters answer only by phone.",
        minutesAgo: DAY + 300,
      },
      { by: "vikram", text: "Tell me which two are missing and I will call them.", minutesAgo: DAY + 280 },
      { by: "mitali", text: "Station Road and the old bus stand. Thank you!", minutesAgo: DAY + 276 },
    ],
    unread: {},
    cover: { by: "asha", inPlaceOf: "vikram", forDays: 4 },
  },
  {
    between: ["asha", "kabir"],
    messages: [
      {
        by: "kabir",
        text: "We found a fourth ledger, 1979 to 1986. Does it change the plan?",
        minutesAgo: 4 * DAY + 20,
      },
      { by: "asha", text: "A little. Devika needs ten pages of it as photos, then we can tell.", minutesAgo: 4 * DAY },
      { by: "kabir", text: "You will have them tomorrow.", minutesAgo: 4 * DAY - 15 },
      {
        by: "asha",
        text: "They have arrived and are readable. The dry run moves by three days, no more.",
        minutesAgo: 3 * DAY,
      },
    ],
    unread: { kabir: 1 },
  },
];
