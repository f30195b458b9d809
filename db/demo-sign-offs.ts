import { and, eq, sql } from "drizzle-orm";
import type { Tx } from "./client";
import type { DemoPersonName } from "./demo-people";
import { projects, tasks } from "./schema";
import { makeSignOff } from "./sign-off-factory";

/** What a client of the demo is asked to sign off. */
interface DemoSignOff {
  projectKey: string;
  by: DemoPersonName;
  signer: DemoPersonName;
  note: string;
  hoursAgo: number;
  /** When, and which task was due so many days earlier then. */
  approved?: { hoursAgo: number; task: number; daysEarlier: number };
  /** When, and what the signer wants changed first. */
  sentBack?: { hoursAgo: number; reason: string };
}

const DEMO_SIGN_OFFS: DemoSignOff[] = [
  {
    projectKey: "SC",
    by: "mitali",
    signer: "leela",
    note: "This is what goes to the agents for the field test. Please look at the handbook too, and sign it off.",
    hoursAgo: 9 * 24,
    approved: { hoursAgo: 8 * 24, task: 4, daysEarlier: 5 },
  },
  {
    projectKey: "SC",
    by: "mitali",
    signer: "leela",
    note: "After the field test: orders, search and photos are as you asked. May we hand it over to all agents?",
    hoursAgo: 20,
  },
  {
    projectKey: "HBP",
    by: "asha",
    signer: "meera",
    note: "The berth calendar and the slot rules are as we agreed. May they go live at the gate?",
    hoursAgo: 52,
    sentBack: { hoursAgo: 27, reason: "The gate needs the boat's number beside the slot. Then yes." },
  },
];

const HOUR_MS = 3_600_000;

/** One that waits, one that was approved, with what has changed since, and one that was sent back. */
export async function seedSignOffs(tx: Tx, idOf: (name: DemoPersonName) => string): Promise<void> {
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS);
  for (const { projectKey, by, signer, note, hoursAgo: asked, approved, sentBack } of DEMO_SIGN_OFFS) {
    const [project] = await tx.select({ id: projects.id }).from(projects).where(eq(projects.key, projectKey));
    if (!project) throw new Error(`the demo has no project ${projectKey}`);
    const given = { projectId: project.id, signerId: idOf(signer), askedBy: idOf(by), note, askedAt: hoursAgo(asked) };
    if (!approved) {
      const decision = sentBack && {
        status: "changes-requested" as const,
        reason: sentBack.reason,
        decidedBy: given.signerId,
        decidedAt: hoursAgo(sentBack.hoursAgo),
      };
      await makeSignOff(tx, { ...given, ...decision });
      continue;
    }
    const moved = and(eq(tasks.projectId, project.id), eq(tasks.number, approved.task));
    const [task] = await tx.select({ dueDate: tasks.dueDate }).from(tasks).where(moved);
    if (!task) throw new Error(`the demo has no task ${projectKey}-${approved.task}`);
    await tx
      .update(tasks)
      .set({ dueDate: sql`${tasks.dueDate} - ${approved.daysEarlier}::int` })
      .where(moved);
    const decidedAt = hoursAgo(approved.hoursAgo);
    await makeSignOff(tx, { ...given, status: "approved", decidedBy: given.signerId, decidedAt });
    await tx.update(tasks).set({ dueDate: task.dueDate }).where(moved);
  }
}
