import { and, eq, isNull } from "drizzle-orm";
import type { Tx } from "./client";
import type { SignOffStatus } from "./client-enums";
import type { DemoPersonName } from "./demo-people";
import type { ProjectStatus } from "./enums";
import type { NotificationKind } from "./event-kinds";
import { comments, discussions, inquiries, notifications, projects, signOffs, tasks } from "./schema";
import { rowsOf } from "./writes";

/** What somebody of the demo was notified of. */
interface DemoNotification {
  to: DemoPersonName[];
  kind: NotificationKind;
  /** Who caused it; null for the server itself. */
  by: DemoPersonName | null;
  /** `HBP`, `HBP-1`, or `HBP-1/4` for the fourth comment there; for inquiries the visitor, for sign-offs `SC asked`, or another status. */
  about?: string;
  person?: DemoPersonName;
  status?: ProjectStatus | SignOffStatus;
  hoursAgo: number;
  isRead?: boolean;
}

const DEMO_NOTIFICATIONS: DemoNotification[] = [
  { to: ["asha", "meera"], kind: "comment", by: "rohan", about: "HBP-1/1", hoursAgo: 50, isRead: true },
  { to: ["asha", "rohan"], kind: "comment", by: "meera", about: "HBP-1/2", hoursAgo: 46, isRead: true },
  { to: ["rohan"], kind: "mentioned", by: "asha", about: "HBP-1/3", hoursAgo: 45, isRead: true },
  { to: ["asha"], kind: "comment", by: "rohan", about: "HBP-1/4", hoursAgo: 44, isRead: true },
  { to: ["asha", "meera"], kind: "comment", by: "rohan", about: "HBP-1/5", hoursAgo: 20 },
  { to: ["meera", "rohan", "mitali"], kind: "comment", by: "asha", about: "HBP/1", hoursAgo: 70, isRead: true },
  { to: ["asha", "rohan", "mitali"], kind: "comment", by: "meera", about: "HBP/2", hoursAgo: 66, isRead: true },
  { to: ["asha", "rohan"], kind: "comment", by: "mitali", about: "HBP/3", hoursAgo: 64, isRead: true },
  { to: ["rohan"], kind: "assigned", by: "mitali", about: "KGT-3", hoursAgo: 6 },
  { to: ["mitali"], kind: "assigned", by: "asha", about: "HBP-4", hoursAgo: 5 },
  { to: ["mitali"], kind: "overdue", by: null, about: "BPR-3", hoursAgo: 4 },
  { to: ["vikram"], kind: "overdue", by: null, about: "BPR", hoursAgo: 28, isRead: true },
  { to: ["devika"], kind: "due-soon", by: null, about: "ARH-1", hoursAgo: 4 },
  { to: ["devika"], kind: "assigned", by: "asha", about: "LLM-2", hoursAgo: 60, isRead: true },
  { to: ["farhan"], kind: "assigned", by: "vikram", about: "BPR-4", hoursAgo: 9 },
  { to: ["sanjay"], kind: "assigned", by: "rohan", about: "SC-3", hoursAgo: 90, isRead: true },
  { to: ["sanjay", "leela"], kind: "project-status", by: "rohan", about: "SC", status: "inProgress", hoursAgo: 12 },
  {
    to: ["leela"],
    kind: "project-status",
    by: "vikram",
    about: "BPR",
    status: "inProgress",
    hoursAgo: 80,
    isRead: true,
  },
  { to: ["meera"], kind: "project-status", by: "vikram", about: "QLA", status: "on-hold", hoursAgo: 30 },
  { to: ["farhan"], kind: "project-status", by: "vikram", about: "QLA", status: "on-hold", hoursAgo: 30, isRead: true },
  { to: ["kabir"], kind: "project-status", by: "asha", about: "VSM", status: "cancelled", hoursAgo: 96, isRead: true },
  { to: ["kabir"], kind: "project-status", by: "rohan", about: "FBK", status: "completed", hoursAgo: 14 },
  { to: ["leela"], kind: "sign-off-asked", by: "mitali", about: "SC approved", hoursAgo: 9 * 24, isRead: true },
  {
    to: ["mitali"],
    kind: "sign-off-decided",
    by: "leela",
    about: "SC approved",
    status: "approved",
    hoursAgo: 8 * 24,
    isRead: true,
  },
  { to: ["leela"], kind: "sign-off-asked", by: "mitali", about: "SC asked", hoursAgo: 20 },
  { to: ["meera"], kind: "sign-off-asked", by: "asha", about: "HBP changes-requested", hoursAgo: 52, isRead: true },
  {
    to: ["asha"],
    kind: "sign-off-decided",
    by: "meera",
    about: "HBP changes-requested",
    status: "changes-requested",
    hoursAgo: 27,
  },
  { to: ["asha", "vikram"], kind: "sign-up-waiting", by: null, person: "nikhil", hoursAgo: 23 },
  { to: ["asha", "vikram"], kind: "inquiry", by: null, about: "Ananya Bose", hoursAgo: 3 },
];

/** Inserts them, with one statement; nobody is mailed. Causes are those of the server, so that it notifies nobody again. */
export async function seedNotifications(tx: Tx, idOf: (name: DemoPersonName) => string): Promise<void> {
  const found = await findSubjects(tx);
  const rows = DEMO_NOTIFICATIONS.flatMap(({ to, kind, by, about, person, status, hoursAgo, isRead }, index) => {
    const subject = about === undefined ? { personId: person && idOf(person) } : found.get(about);
    if (!subject) throw new Error(`the demo has no ${about}`);
    const { dueDate, ...ids } = { dueDate: null, ...subject };
    const createdAt = new Date(Date.now() - hoursAgo * 3_600_000);
    return to.map((name) => ({
      ...{ userId: idOf(name), kind, actorId: by && idOf(by), ...ids, createdAt },
      cause: causeOf({ kind, dueDate, ...ids }) ?? `${kind}:demo:${index}`,
      details: status ?? dueDate,
      readAt: isRead ? new Date(createdAt.valueOf() + 3_600_000) : null,
    }));
  });
  await tx.insert(notifications).values(rowsOf(notifications, rows));
}

interface DemoSubject {
  projectId?: string;
  taskId?: string | null;
  commentId?: string;
  inquiryId?: string;
  signOffId?: string;
  personId?: string | undefined;
  /** Of what is due. */
  dueDate?: string | null;
}

function causeOf({ kind, ...subject }: DemoSubject & { kind: NotificationKind }): string | null {
  if (subject.commentId) return `comment:${subject.commentId}`;
  if (subject.inquiryId) return `inquiry:${subject.inquiryId}`;
  if (subject.signOffId)
    return kind === "sign-off-asked" ? `sign-off:${subject.signOffId}` : `${kind}:${subject.signOffId}`;
  if (subject.personId) return `sign-up:${subject.personId}`;
  if (kind === "due-soon" || kind === "overdue")
    return `${kind}:${subject.taskId ?? subject.projectId}:${subject.dueDate}`;
  return null;
}

/** By what `about` calls them. */
async function findSubjects(tx: Tx): Promise<Map<string, DemoSubject>> {
  const key = projects.key;
  const ofProjects = await tx.select({ key, projectId: projects.id, dueDate: projects.dueDate }).from(projects);
  const ofTasks = await tx
    .select({ key, number: tasks.number, projectId: projects.id, taskId: tasks.id, dueDate: tasks.dueDate })
    .from(tasks)
    .innerJoin(projects, eq(projects.id, tasks.projectId));
  const ofComments = await tx
    .select({
      ...{ key, number: tasks.number, seq: comments.seq },
      ...{ projectId: discussions.projectId, taskId: discussions.taskId, commentId: comments.id },
    })
    .from(comments)
    .innerJoin(discussions, eq(discussions.id, comments.discussionId))
    .innerJoin(projects, eq(projects.id, discussions.projectId))
    .leftJoin(tasks, and(eq(tasks.id, discussions.taskId)));
  const ofSignOffs = await tx
    .select({ key, status: signOffs.status, projectId: signOffs.projectId, signOffId: signOffs.id })
    .from(signOffs)
    .innerJoin(projects, eq(projects.id, signOffs.projectId));
  const ofInquiries = await tx
    .select({ name: inquiries.name, inquiryId: inquiries.id })
    .from(inquiries)
    .where(isNull(inquiries.decidedAt));
  return new Map<string, DemoSubject>([
    ...ofProjects.map(({ key: name, ...ids }) => [name, ids] as const),
    ...ofTasks.map(({ key: name, number, ...ids }) => [`${name}-${number}`, ids] as const),
    ...ofComments.map(
      ({ key: name, number, seq, ...ids }) => [`${name}${number === null ? "" : `-${number}`}/${seq}`, ids] as const,
    ),
    ...ofSignOffs.map(({ key: name, status, ...ids }) => [`${name} ${status}`, ids] as const),
    ...ofInquiries.map(({ name, ...ids }) => [name, ids] as const),
  ]);
}
