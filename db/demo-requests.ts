import { and, eq } from "drizzle-orm";
import type { Tx } from "./client";
import type { REQUEST_URGENCIES, RequestStatus } from "./client-enums";
import type { DemoPersonName } from "./demo-people";
import { projects, requestReplies, requests, tasks } from "./schema";
import { rowsOf } from "./writes";

/** What a client of the demo asks for, and what became of it: one in every state. */
interface DemoRequest {
  projectKey: string;
  by: DemoPersonName;
  title: string;
  text: string;
  urgency: (typeof REQUEST_URGENCIES)[number];
  hoursAgo: number;
  /** Oldest first; who wrote last waits for the other. */
  thread?: { by: DemoPersonName; text: string; hoursAgo: number }[];
  decision?: {
    by: DemoPersonName;
    hoursAgo: number;
    status: Exclude<RequestStatus, "new" | "asked">;
    reason?: string;
    /** Of the task that it became. */
    taskNumber?: number;
    /** The title of the request that it is a duplicate of. */
    duplicateOf?: string;
  };
}

const DEMO_REQUESTS: DemoRequest[] = [
  {
    projectKey: "HBP",
    by: "meera",
    title: "One sheet of the day for the gate",
    text: "The two people at the gate have no screen in the morning. They need all boats of the day on one page, by hour.",
    urgency: "normal",
    hoursAgo: 14 * 24,
    decision: { by: "asha", hoursAgo: 13 * 24 + 3, status: "accepted", taskNumber: 8 },
  },
  {
    projectKey: "HBP",
    by: "meera",
    title: "Print the list of boats",
    text: "So that the gate can tick them off.",
    urgency: "low",
    hoursAgo: 9 * 24,
    decision: {
      by: "asha",
      hoursAgo: 9 * 24 - 2,
      status: "duplicate",
      duplicateOf: "One sheet of the day for the gate",
    },
  },
  {
    projectKey: "HBP",
    by: "meera",
    title: "Bookings by WhatsApp",
    text: "Most boat owners write to us there anyway. Could a booking be made with a message?",
    urgency: "normal",
    hoursAgo: 8 * 24,
    decision: {
      by: "asha",
      hoursAgo: 7 * 24,
      status: "declined",
      reason:
        "A message cannot pay, and a berth without payment blocks the others. Let us see in spring how the web form is taken up.",
    },
  },
  {
    projectKey: "HBP",
    by: "meera",
    title: "The tablet at the gate logs out in the middle of a shift",
    text: "Since Monday, each time after about an hour. Then nobody gets in until the office brings the PIN.",
    urgency: "high",
    hoursAgo: 76,
  },
  {
    projectKey: "HBP",
    by: "meera",
    title: "Figures for the fisheries office",
    text: "They ask for the bookings of a month as a table, by the tenth of the next month.",
    urgency: "normal",
    hoursAgo: 50,
    thread: [
      { by: "asha", text: "Do they need names of the owners, or numbers by boat type only?", hoursAgo: 47 },
      { by: "meera", text: "Numbers only. They are not allowed the names.", hoursAgo: 46 },
      {
        by: "asha",
        text: "Good. Could you send us last year's table, so that ours has the same columns?",
        hoursAgo: 21,
      },
    ],
  },
  {
    projectKey: "HBP",
    by: "meera",
    title: "Names of boats in Marathi",
    text: "Some owners write them in Marathi only. The calendar should show them as they were typed.",
    urgency: "low",
    hoursAgo: 4,
  },
  {
    projectKey: "SC",
    by: "leela",
    title: "A handbook for new agents",
    text: "Two pages with pictures would do. Twelve of them start next month.",
    urgency: "normal",
    hoursAgo: 12 * 24,
    decision: { by: "mitali", hoursAgo: 11 * 24, status: "accepted", taskNumber: 4 },
  },
  {
    projectKey: "SC",
    by: "leela",
    title: "Prices by the sack",
    text: "Farmers buy sacks of 25 kg. At the moment our agents do the sums in their heads.",
    urgency: "high",
    hoursAgo: 6,
  },
];

/** Inserts them, with who owes the next move; nobody is notified. */
export async function seedRequests(tx: Tx, idOf: (name: DemoPersonName) => string): Promise<void> {
  const idsByTitle = new Map<string, string>();
  for (const { projectKey, by, hoursAgo, thread = [], decision, ...columns } of DEMO_REQUESTS) {
    const [about] = await tx
      .select({ projectId: projects.id, taskId: tasks.id })
      .from(projects)
      .leftJoin(tasks, and(eq(tasks.projectId, projects.id), eq(tasks.number, decision?.taskNumber ?? 0)))
      .where(eq(projects.key, projectKey));
    if (!about) throw new Error(`the demo has no project ${projectKey}`);
    const last = thread.at(-1);
    const row = {
      ...{ ...about, ...columns, createdBy: idOf(by), createdAt: before(hoursAgo) },
      status: decision?.status ?? (last && last.by !== by ? "asked" : "new"),
      turnSince: before(last?.hoursAgo ?? hoursAgo),
      decidedBy: decision && idOf(decision.by),
      decidedAt: decision && before(decision.hoursAgo),
      reason: decision?.reason,
      duplicateOf: idsByTitle.get(decision?.duplicateOf ?? ""),
    } as const;
    const [made] = await tx
      .insert(requests)
      .values(rowsOf(requests, [row]))
      .returning({ id: requests.id });
    if (!made) throw new Error("no request was inserted");
    idsByTitle.set(columns.title, made.id);
    const replies = thread.map((reply) => ({
      ...{ requestId: made.id, authorId: idOf(reply.by), text: reply.text, createdAt: before(reply.hoursAgo) },
    }));
    if (replies.length > 0) await tx.insert(requestReplies).values(rowsOf(requestReplies, replies));
  }
}

function before(hours: number): Date {
  return new Date(Date.now() - hours * 3_600_000);
}
