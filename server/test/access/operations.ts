import { backupRequests } from "../../../db/schema";
import { LIVE_TOPICS, type LiveTopic } from "../../contract/live";
import {
  adminsOnly,
  type Entry,
  employees,
  followers,
  followersOfOne,
  open,
  openAndClose,
  own,
  type Row,
  type Rows,
} from "./rows";

/** As the topic's own subscription; without a row everybody's. */
const TOPIC_ROWS: Partial<Record<LiveTopic, Row>> = {
  users: adminsOnly,
  inquiries: adminsOnly,
  github: followers,
  audit: adminsOnly,
  findings: employees,
};

const inquiry = {
  kind: "contact" as const,
  name: "A visitor",
  email: "visitor@firm.example",
  subject: "project" as const,
  message: "We need a portal.",
};

/** Rows of the access matrix. */
export const OPERATIONS: Rows = {
  "github.commits (as a client)": {
    row: adminsOnly,
    call: (caller, { projectId, clientId }) => caller.github.commits({ projectId, asClientId: clientId }),
  },
  "github.commits": { row: followers, call: (caller) => caller.github.commits() },
  "github.commits (one)": {
    row: followersOfOne,
    call: (caller, { projectId }) => caller.github.commits({ projectId }),
  },
  "github.onChange": { row: followers, call: (caller) => openAndClose(caller.github.onChange()) },
  "github.onChange (one)": {
    row: followersOfOne,
    call: (caller, { projectId }) => openAndClose(caller.github.onChange({ projectId })),
  },
  "github.refresh": { row: adminsOnly, call: (caller) => caller.github.refresh() },
  "github.refresh (one)": { row: adminsOnly, call: (caller, { projectId }) => caller.github.refresh({ projectId }) },
  "github.tokenStatus": { row: adminsOnly, call: (caller) => caller.github.tokenStatus() },
  "github.setToken": {
    row: adminsOnly,
    key: "FORBIDDEN",
    call: (caller) => caller.github.setToken({ token: "ghp_of_the_tests", owners: ["konkan"] }),
  },
  "github.removeToken": { row: adminsOnly, call: (caller) => caller.github.removeToken() },
  "organisation.get": { row: own, call: (caller) => caller.organisation.get() },
  "organisation.update": {
    row: adminsOnly,
    call: (caller) => caller.organisation.update({ timeZone: "Asia/Kolkata" }),
  },
  "system.status": { row: adminsOnly, call: (caller) => caller.system.status() },
  "system.sendTestMail": {
    row: adminsOnly,
    call: (caller) => caller.system.sendTestMail({ to: "anyone@sangam.example" }),
  },
  "system.backupNow": {
    row: adminsOnly,
    call: async (caller, _objects, db) => {
      await db.delete(backupRequests);
      return caller.system.backupNow();
    },
  },
  "system.mailSettings": { row: adminsOnly, call: (caller) => caller.system.mailSettings() },
  "audit.list": { row: adminsOnly, call: (caller) => caller.audit.list({}) },
  "audit.onChange": { row: adminsOnly, call: (caller) => openAndClose(caller.audit.onChange()) },
  "vitals.summary": { row: adminsOnly, call: (caller) => caller.vitals.summary() },
  "inquiries.submit": { row: open, call: (caller) => caller.inquiries.submit(inquiry) },
  "inquiries.list": { row: adminsOnly, call: (caller) => caller.inquiries.list({}) },
  "inquiries.setStatus": {
    row: adminsOnly,
    call: (caller, { inquiryId }) => caller.inquiries.setStatus({ inquiryId, status: "answered" }),
  },
  "inquiries.onChange": { row: adminsOnly, call: (caller) => openAndClose(caller.inquiries.onChange()) },
  "feeds.calendar": { row: own, call: (caller) => caller.feeds.calendar() },
  "feeds.createCalendar": { row: own, call: (caller) => caller.feeds.createCalendar() },
  "feeds.revokeCalendar": { row: own, call: (caller) => caller.feeds.revokeCalendar() },
  "webhooks.list": { row: adminsOnly, call: (caller) => caller.webhooks.list() },
  "webhooks.create": {
    row: adminsOnly,
    key: "FORBIDDEN",
    call: (caller) => caller.webhooks.create({ url: "http://127.0.0.1:9/", kinds: ["comment"] }),
  },
  ...Object.fromEntries(
    (["delete", "deliveries", "sendTest"] as const).map((name): [string, Entry] => [
      `webhooks.${name}`,
      {
        row: adminsOnly,
        call: (caller, { webhookId }) => caller.webhooks[name]({ webhookId }),
      },
    ]),
  ),
  ...Object.fromEntries(
    LIVE_TOPICS.map((topic): [string, Entry] => [
      `live.onEvent (${topic})`,
      {
        row: TOPIC_ROWS[topic] ?? own,
        call: (caller) => openAndClose(caller.live.onEvent({ topics: ["projects", topic] })),
      },
    ]),
  ),
};
