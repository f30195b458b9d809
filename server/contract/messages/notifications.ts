import { REQUEST_STATUSES, type RequestStatus } from "@db/client-enums";
import { PROJECT_STATUSES } from "@db/enums";
import type { NotificationKind } from "@db/event-kinds";
import { formatDay } from "../days";
import { STATUS_LABELS } from "../labels";
import { healthLabel, STATUS_REMINDER } from "./status-updates";

/** What each kind is called in Settings, and what it says. */
export const NOTIFICATION_KIND_LABELS: Record<NotificationKind, string> = {
  assigned: "Assigned to me",
  mentioned: "Mentions of me",
  comment: "Comments on what I follow",
  "project-status": "Status of my projects",
  "due-soon": "Due today or tomorrow",
  overdue: "Overdue",
  "sign-up-waiting": "Sign-ups waiting for approval",
  "repository-trouble": "Repositories that can't be read",
  inquiry: "New inquiries",
  request: "Clients' requests and answers",
  "request-decided": "Questions and decisions about my requests",
  "sign-off-asked": "Sign-offs I am asked for",
  "sign-off-decided": "Decisions on sign-offs",
  "status-update": "Status updates",
};

export const NOTIFICATION_MESSAGES = {
  loadFailed: "Notifications could not be loaded.",
  markFailed: "Failed to mark as read. Please try again.",
  followFailed: "Failed to change what you follow. Please try again.",
  preferencesFailed: "Failed to save your notification settings. Please try again.",
  unsubscribeGone: "This link is not valid. Choose which emails you get in Settings.",
  unsubscribed: "You will no longer get these emails. You can turn them on again in Settings.",
  pushUnavailable: "This browser can't reach its push service, or doesn't offer push in a private window.",
  pushFailed: "Failed to change notifications in this browser. Please try again.",
} as const;

/** What a sentence about a notification needs to know of it. */
export interface DescribedNotification {
  kind: NotificationKind;
  subject: { taskId?: string };
  actor: { name: string } | null;
  details: string | null;
}

/** What happened, as a sentence without its end; the thing itself is named beside it. */
export function describeNotification({ kind, subject, actor, details }: DescribedNotification): string {
  const who = actor?.name ?? "Someone";
  switch (kind) {
    case "assigned":
      return subject.taskId ? `${who} assigned this to you` : `${who} added you to this project`;
    case "mentioned":
      return `${who} mentioned you`;
    case "comment":
      return `${who} commented`;
    case "project-status": {
      const status = PROJECT_STATUSES.find((one) => one === details);
      return `${who} changed the status${status ? ` to ${STATUS_LABELS[status]}` : ""}`;
    }
    case "due-soon":
      return details === null ? NOTIFICATION_KIND_LABELS[kind] : `Due on ${formatDay(details)}`;
    case "overdue":
      return "Overdue";
    case "sign-up-waiting":
      return "Signed up and is waiting for approval";
    case "repository-trouble":
      return `The repository${details ? ` ${details}` : ""} can't be read`;
    case "inquiry":
      return "Wrote to us";
    case "sign-off-asked":
      return `${who} asked you to look at the work and sign it off`;
    case "sign-off-decided":
      return details === "approved" ? `${who} signed off the work` : `${who} asked for changes before signing off`;
    case "status-update": {
      if (details === STATUS_REMINDER) return "Time for a status update";
      const health = healthLabel(details);
      return `${who} sent a status update${health ? `: ${health}` : ""}`;
    }
    case "request":
      return `${who} ${details === "answered" ? "answered your question" : details === "added" ? "added to a request" : "filed a request"}`;
    case "request-decided":
      return `${who} ${REQUEST_STEPS[REQUEST_STATUSES.find((one) => one === details) ?? "new"]}`;
    default:
      return NOTIFICATION_KIND_LABELS[kind];
  }
}

/** What the firm has done with a request, to its client. */
const REQUEST_STEPS: Record<RequestStatus, string> = {
  new: "changed your request",
  asked: "has a question about your request",
  accepted: "accepted your request",
  declined: "declined your request",
  duplicate: "marked your request as a duplicate",
};

/** Which thing it is: all notifications about it stand together. */
export function thingOf(
  subject: { [Key in "requestId" | "signOffId" | "taskId" | "inquiryId" | "userId" | "projectId"]?: string },
): string {
  const { requestId, signOffId, taskId, inquiryId, userId, projectId } = subject;
  return requestId ?? signOffId ?? taskId ?? inquiryId ?? userId ?? projectId ?? "";
}

interface NamedThing {
  kind: NotificationKind;
  subject: { requestId?: string; signOffId?: string };
  title: string;
  taskNumber: number | null;
  project: { id: string; key: string } | null;
}

/** `HBP-12 Tides`, or what the thing is called. */
export function titleOf({ title, taskNumber, project }: Omit<NamedThing, "kind" | "subject">): string {
  return taskNumber !== null && project ? `${project.key}-${taskNumber} ${title}` : title;
}

const ADMIN_PAGES: Partial<Record<NotificationKind, string>> = {
  "sign-up-waiting": "/admin/users?users=pending",
  inquiry: "/admin/inquiries",
};

type PlacedThing = Omit<NamedThing, "title">;

/**
 * What opens over the page one is on: a task by its key, or the details of a project by its id, which have all that one is told of:
 * its tasks too, as the card in the portal.
 */
export function layerOf(
  { subject, taskNumber, project }: Omit<PlacedThing, "kind">,
  shell: string,
): { task: string } | { details: string } | undefined {
  if (!project || subject.requestId || subject.signOffId) return undefined;
  if (taskNumber !== null) return { task: `${project.key}-${taskNumber}` };
  return shell === "/client" ? undefined : { details: project.id };
}

/** Where the thing is, from the pages below `shell`. The address of a task is the server's, which leads on to a page with it. */
export function thingAddress(thing: PlacedThing, shell: string): string {
  const { kind, subject, project } = thing;
  const page = ADMIN_PAGES[kind];
  if (page) return page;
  if (subject.signOffId) return `/sign-offs/${subject.signOffId}`;
  if (!project) return `${shell}/inbox`;
  if (subject.requestId) return `${shell}/requests?request=${subject.requestId}`;
  const layer = layerOf(thing, shell);
  if (layer) return "task" in layer ? `/task/${layer.task}` : `${shell}?modal=view&project=${layer.details}`;
  return `${shell}?open=${project.id}`;
}

/** What has the same key stands together, in the order of its first. */
export function groupBy<Row>(rows: readonly Row[], keyOf: (row: Row) => string): [Row, ...Row[]][] {
  const groups = new Map<string, [Row, ...Row[]]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return [...groups.values()];
}
