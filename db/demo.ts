import type { AccountStatus, AccountType, ProjectStatus, TaskPriority, TaskStatus } from "./enums";

/** The demo organisation as plain values; days are relative to the day of the seed. */

export type DemoPersonName = (typeof DEMO_PEOPLE)[number]["username"];

interface DemoTask {
  title: string;
  description: string;
  status?: TaskStatus;
  by: DemoPersonName;
  dueInDays?: number;
  priority?: TaskPriority;
  labels?: DemoLabelName[];
  /** Its first items, as many as `done`, are ticked. */
  checklist?: string[];
  done?: number;
}

export const DEMO_LABELS = [
  { name: "Bug", colour: "red" },
  { name: "Design", colour: "blue" },
  { name: "Field test", colour: "orange" },
  { name: "Waiting for the client", colour: "grey" },
] as const;
type DemoLabelName = (typeof DEMO_LABELS)[number]["name"];

export interface DemoProject {
  key: string;
  title: string;
  description: string;
  status: ProjectStatus;
  projectType: string | null;
  githubRepo: string | null;
  liveLink: string | null;
  clientCollaboration?: boolean;
  client: DemoPersonName | null;
  createdBy: DemoPersonName;
  assigned: DemoPersonName[];
  managers: DemoPersonName[];
  startsInDays: number;
  dueInDays: number | null;
  tasks: DemoTask[];
}

const person = <Username extends string>(
  username: Username,
  name: string,
  accountType: AccountType,
  joinedDaysAgo: number,
  accountStatus: AccountStatus = "active",
) => ({ username, name, email: `${username}@sangam.example`, accountType, accountStatus, joinedDaysAgo });

export const DEMO_PEOPLE = [
  person("asha", "Asha Kulkarni", "admin", 400),
  person("vikram", "Vikram Menon", "admin", 390),
  person("rohan", "Rohan Shah", "user", 320),
  person("mitali", "Mitali Deshpande", "user", 300),
  person("farhan", "Farhan Qureshi", "user", 210),
  person("devika", "Devika Joshi", "user", 120),
  person("sanjay", "Sanjay Iyer", "user", 45),
  person("meera", "Meera Rao", "client", 200),
  person("kabir", "Kabir Anand", "client", 150),
  person("leela", "Leela Thomas", "client", 60),
  person("nikhil", "Nikhil Patil", "user", 1, "pending"),
  person("ravi", "Ravi Bhatt", "user", 14, "rejected"),
] as const;

export const DEMO_PROJECTS: DemoProject[] = [
  {
    key: "HBP",
    title: "Harbour booking portal",
    description:
      "Slot booking for the fishing harbour: berth calendar, payments, and a printable day sheet for the gate.",
    status: "inProgress",
    projectType: "Web application",
    githubRepo: "https://github.com/sangam-demo/harbour",
    liveLink: "https://harbour.example",
    clientCollaboration: true,
    client: "meera",
    createdBy: "asha",
    assigned: ["asha", "rohan", "mitali"],
    managers: ["asha"],
    startsInDays: -40,
    dueInDays: 22,
    tasks: [
      {
        title: "Berth calendar: week view",
        description: "Keyboard arrows move a berth, Enter opens it.",
        status: "inProgress",
        by: "rohan",
        dueInDays: 8,
        priority: "high",
        labels: ["Design"],
        checklist: ["Arrows move a berth by a day", "Enter opens it", "Read out by a screen reader", "Print view"],
        done: 2,
      },
      {
        title: "Payment retries",
        description: "Three tries, then a clear message to the desk.",
        by: "mitali",
        dueInDays: 10,
        priority: "urgent",
        labels: ["Bug"],
      },
      {
        title: "Receipt PDF",
        description: "Marathi and English on one page.",
        by: "rohan",
        priority: "medium",
        labels: ["Design", "Waiting for the client"],
      },
      { title: "Gate login", description: "Shared tablet, short PIN.", by: "mitali", dueInDays: 12 },
      {
        title: "Seed berth list",
        description: "Forty berths from the harbour's own sheet.",
        status: "completed",
        by: "rohan",
      },
      {
        title: "Tide table import",
        description: "Yearly file, checked against last year.",
        status: "completed",
        by: "rohan",
      },
      { title: "Slot rules", description: "Two hours, one boat, no overlap.", status: "completed", by: "mitali" },
      { title: "Day sheet: print layout", description: "One page for forty boats.", by: "asha", dueInDays: 15 },
      {
        title: "Sign-off of the screens",
        description: "Walk through with the harbour office.",
        status: "completed",
        by: "asha",
      },
    ],
  },
  {
    key: "QLA",
    title: "Quay lighting audit",
    description: "Lamp inventory and outage reporting for the east quay.",
    status: "on-hold",
    projectType: "Mobile app",
    githubRepo: null,
    liveLink: null,
    client: "meera",
    createdBy: "vikram",
    assigned: ["vikram", "farhan"],
    managers: ["vikram"],
    startsInDays: -25,
    dueInDays: 60,
    tasks: [
      { title: "Lamp list", description: "Number, place and photo of each lamp.", status: "completed", by: "farhan" },
      { title: "Outage form", description: "Works with one thumb, in the rain.", by: "farhan", dueInDays: 20 },
    ],
  },
  {
    key: "KGT",
    title: "Kartavya geofence tuning",
    description: "Check-in radius per campus, with a quiet fallback when the GPS fix is older than a minute.",
    status: "todo",
    projectType: null,
    githubRepo: "https://github.com/sangam-demo/kartavya",
    liveLink: "https://kartavya.example",
    client: null,
    createdBy: "rohan",
    assigned: ["rohan", "mitali"],
    managers: ["asha"],
    startsInDays: -12,
    dueInDays: 4,
    tasks: [
      { title: "Radius per campus", description: "Metres, with a sensible default.", status: "completed", by: "rohan" },
      {
        title: "Old fix fallback",
        description: "Older than a minute counts as unknown.",
        status: "completed",
        by: "mitali",
      },
      {
        title: "Field test at two campuses",
        description: "Morning and evening, three phones.",
        by: "rohan",
        dueInDays: 2,
      },
    ],
  },
  {
    key: "CTA",
    title: "Clinic triage assistant",
    description: "Intake form that sorts patients by urgency and hands the nurse a one-page summary.",
    status: "todo",
    projectType: "AI solution",
    githubRepo: "https://github.com/sangam-demo/triage",
    liveLink: null,
    client: "kabir",
    createdBy: "mitali",
    assigned: ["mitali", "devika", "rohan"],
    managers: ["vikram"],
    startsInDays: -6,
    dueInDays: 49,
    tasks: [],
  },
  {
    key: "SC",
    title: "Seed catalogue",
    description: "Offline-first catalogue for field agents. Sync when the van is back in range.",
    status: "inProgress",
    projectType: "Mobile app",
    githubRepo: "https://github.com/sangam-demo/seeds",
    liveLink: "https://seeds.example",
    clientCollaboration: true,
    client: "leela",
    createdBy: "rohan",
    assigned: ["rohan", "sanjay"],
    managers: ["mitali"],
    startsInDays: -50,
    dueInDays: 10,
    tasks: [
      { title: "Sync order", description: "Orders first, photos last.", status: "completed", by: "sanjay" },
      { title: "Search without network", description: "By name, crop and season.", status: "completed", by: "rohan" },
      {
        title: "Photo sizes",
        description: "Small on the phone, whole on the server.",
        status: "completed",
        by: "sanjay",
      },
      {
        title: "Agent handbook",
        description: "Two pages, with pictures.",
        by: "rohan",
        dueInDays: 9,
        priority: "low",
        labels: ["Field test"],
      },
    ],
  },
  {
    key: "LLM",
    title: "Library ledger migration",
    description: "Move 40,000 loan records from spreadsheets, keep the old accession numbers.",
    status: "todo",
    projectType: null,
    githubRepo: null,
    liveLink: null,
    client: "kabir",
    createdBy: "asha",
    assigned: ["asha", "devika"],
    managers: ["asha"],
    startsInDays: -3,
    dueInDays: null,
    tasks: [
      { title: "Read the oldest ledger", description: "1987 to 1994, two hands.", status: "completed", by: "devika" },
      { title: "Match double readers", description: "Same card, different spelling.", by: "devika", dueInDays: 14 },
      { title: "Dry run on a copy", description: "Report what did not match.", by: "asha" },
    ],
  },
  {
    key: "BPR",
    title: "Bus pass renewals",
    description: "Online renewal with photo check and pickup counter choice.",
    status: "inProgress",
    projectType: "Web application",
    githubRepo: "https://github.com/sangam-demo/buspass",
    liveLink: "https://buspass.example",
    client: "leela",
    createdBy: "vikram",
    assigned: ["vikram", "farhan", "mitali"],
    managers: ["vikram"],
    startsInDays: -30,
    dueInDays: -2,
    tasks: [
      { title: "Photo check", description: "Face in frame, plain wall.", status: "completed", by: "farhan" },
      { title: "Counter list", description: "Opening hours of nine counters.", status: "completed", by: "mitali" },
      { title: "Renewal reminder", description: "Two weeks before the pass ends.", by: "mitali", dueInDays: -1 },
      { title: "Refund path", description: "When the counter refuses the photo.", by: "farhan", dueInDays: 3 },
    ],
  },
  {
    key: "FBK",
    title: "Fee book for the night school",
    description: "Monthly fees of 300 learners, with a receipt by text message.",
    status: "completed",
    projectType: "Web application",
    githubRepo: "https://github.com/sangam-demo/feebook",
    liveLink: "https://feebook.example",
    client: "kabir",
    createdBy: "rohan",
    assigned: ["rohan", "sanjay"],
    managers: ["rohan"],
    startsInDays: -160,
    dueInDays: -70,
    tasks: [
      { title: "Fee rules", description: "Full, half and waived.", status: "completed", by: "rohan" },
      { title: "Receipts", description: "One text, no link.", status: "completed", by: "sanjay" },
    ],
  },
  {
    key: "WTS",
    title: "Water tanker schedule",
    description: "Who gets the tanker when, on one page that prints.",
    status: "completed",
    projectType: null,
    githubRepo: null,
    liveLink: "https://tanker.example",
    client: "meera",
    createdBy: "mitali",
    assigned: ["mitali"],
    managers: ["asha"],
    startsInDays: -120,
    dueInDays: -90,
    tasks: [
      { title: "Ward list", description: "Eleven wards, two tankers.", status: "completed", by: "mitali" },
      { title: "Print sheet", description: "Large type for the depot wall.", status: "completed", by: "mitali" },
    ],
  },
  {
    key: "OIW",
    title: "Office intranet wiki",
    description: "How we work, in pages short enough to be read.",
    status: "completed",
    projectType: "Internal",
    githubRepo: "https://github.com/sangam-demo/wiki",
    liveLink: null,
    client: null,
    createdBy: "vikram",
    assigned: ["vikram", "rohan", "devika"],
    managers: [],
    startsInDays: -200,
    dueInDays: -150,
    tasks: [{ title: "Leave rules", description: "One page, with examples.", status: "completed", by: "vikram" }],
  },
  {
    key: "VSM",
    title: "Village school meals",
    description: "Counts of meals served, entered by the cook, read by the district.",
    status: "cancelled",
    projectType: "Mobile app",
    githubRepo: null,
    liveLink: null,
    client: "kabir",
    createdBy: "asha",
    assigned: ["asha", "sanjay"],
    managers: ["asha"],
    startsInDays: -90,
    dueInDays: -30,
    tasks: [{ title: "Paper trial", description: "One school, two weeks.", status: "completed", by: "sanjay" }],
  },
  {
    key: "ARH",
    title: "Attendance reports for hostels",
    description: "Nightly count by block, with the three questions that wardens really ask.",
    status: "todo",
    projectType: "Attendance system",
    githubRepo: "https://github.com/sangam-demo/hostels",
    liveLink: null,
    client: null,
    createdBy: "devika",
    assigned: ["devika", "farhan"],
    managers: ["mitali"],
    startsInDays: -1,
    dueInDays: 6,
    tasks: [
      { title: "Block list", description: "Six blocks, two wings each.", by: "devika", dueInDays: 1 },
      { title: "Warden questions", description: "Who is out, since when, who knows.", by: "farhan", dueInDays: 5 },
    ],
  },
];
