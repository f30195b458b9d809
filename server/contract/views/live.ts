import type { ResumeEvent } from "../live-cursor";
import type { AuditChange } from "./audit";
import type { InboxChange, PresenceEvent } from "./chat";
import type { FindingsChange } from "./findings";
import type { ActivityChange } from "./github";
import type { InquiryChange } from "./inquiries";
import type { LabelChange } from "./labels";
import type { NotificationChange } from "./notifications";
import type { AccountChange } from "./people";
import type { ProjectChange } from "./projects";
import type { RequestChange } from "./requests";

/** What happened to one of the topics that a stream follows, and each topic's answer to a cursor. */
export type LiveEvent =
  | { topic: "projects"; event: ProjectChange | ResumeEvent }
  | { topic: "inbox"; event: InboxChange | ResumeEvent }
  | { topic: "presence"; event: PresenceEvent | ResumeEvent }
  | { topic: "notifications"; event: NotificationChange | ResumeEvent }
  | { topic: "users"; event: AccountChange | ResumeEvent }
  | { topic: "inquiries"; event: InquiryChange | ResumeEvent }
  | { topic: "github"; event: ActivityChange | ResumeEvent }
  | { topic: "audit"; event: AuditChange | ResumeEvent }
  | { topic: "labels"; event: LabelChange | ResumeEvent }
  | { topic: "requests"; event: RequestChange | ResumeEvent }
  | { topic: "findings"; event: FindingsChange | ResumeEvent };
