import { randomUUID } from "node:crypto";
import { adminsOnly, editors, employees, openAndClose, own, type Rows, readers, row } from "./rows";

const task = { title: "A task", description: "What to do." };
const project = {
  title: "A project",
  description: "What for.",
  status: "todo" as const,
  startDate: "2026-11-20",
  assignedTo: [],
  managers: [],
};

const copy = { title: "Another one", startDate: "2026-12-01" };

/** Rows of the access matrix. */
export const PROJECTS: Rows = {
  "projects.list (as a client)": {
    row: adminsOnly,
    call: (caller, { clientId }) => caller.projects.list({ scope: "mine", asClientId: clientId }),
  },
  "projects.byId (as a client)": {
    row: adminsOnly,
    call: (caller, { projectId, clientId }) => caller.projects.byId({ projectId, asClientId: clientId }),
  },
  "projects.list": { row: own, call: (caller) => caller.projects.list({ scope: "mine" }) },
  "projects.list (all)": { row: adminsOnly, call: (caller) => caller.projects.list({ scope: "all" }) },
  "projects.byId": { row: readers, call: (caller, { projectId }) => caller.projects.byId({ projectId }) },
  "projects.create": { row: employees, call: (caller) => caller.projects.create(project) },
  "projects.update": {
    row: editors,
    call: (caller, { projectId }) => caller.projects.update({ projectId, version: 1, patch: { title: "Changed" } }),
  },
  "projects.update (client collaboration)": {
    row: row("UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", "NOT_FOUND", "FORBIDDEN", "FORBIDDEN", "FORBIDDEN", "ok"),
    call: (caller, { projectId }) =>
      caller.projects.update({ projectId, version: 1, patch: { clientCollaboration: true } }),
  },
  "projects.update (client people)": {
    row: editors,
    call: (caller, { projectId }) => caller.projects.update({ projectId, version: 1, patch: { clientPeople: [] } }),
  },
  "projects.templates": { row: employees, call: (caller) => caller.projects.templates() },
  "projects.createFromTemplate": {
    row: employees,
    call: (caller, { templateId }) => caller.projects.createFromTemplate({ templateId, ...copy }),
  },
  "projects.duplicate": {
    row: editors,
    call: (caller, { projectId }) => caller.projects.duplicate({ projectId, ...copy }),
  },
  // Of another one: who saved it deletes their own.
  "projects.deleteTemplate": {
    row: row("UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", "FORBIDDEN", "FORBIDDEN", "FORBIDDEN", "FORBIDDEN", "ok"),
    call: (caller, { templateId }) => caller.projects.deleteTemplate({ templateId }),
  },
  "projects.delete": { row: adminsOnly, call: (caller, { projectId }) => caller.projects.delete({ projectId }) },
  "projects.onChange": { row: own, call: (caller) => openAndClose(caller.projects.onChange()) },
  "projects.onChange (one)": {
    row: readers,
    call: (caller, { projectId }) => openAndClose(caller.projects.onChange({ projectId })),
  },
  "projects.calendar": {
    row: own,
    call: (caller) => caller.projects.calendar({ from: "2026-11-01", to: "2026-11-30" }),
  },
  "projects.history": { row: own, call: (caller) => caller.projects.history({}) },
  "projects.history (one)": { row: readers, call: (caller, { projectId }) => caller.projects.history({ projectId }) },
  "projects.history (of a task)": { row: readers, call: (caller, { taskId }) => caller.projects.history({ taskId }) },
  "projects.history (as a client)": {
    row: adminsOnly,
    call: (caller, { projectId, clientId }) => caller.projects.history({ projectId, asClientId: clientId }),
  },
  "projects.findings": { row: employees, call: (caller) => caller.projects.findings() },
  "tasks.list (as a client)": {
    row: adminsOnly,
    call: (caller, { projectId, clientId }) => caller.tasks.list({ projectId, asClientId: clientId }),
  },
  "tasks.list": { row: readers, call: (caller, { projectId }) => caller.tasks.list({ projectId }) },
  "tasks.create": { row: editors, call: (caller, { projectId }) => caller.tasks.create({ projectId, ...task }) },
  "tasks.update": {
    row: editors,
    call: (caller, { taskId }) => caller.tasks.update({ taskId, patch: { title: "Changed" } }),
  },
  "tasks.setCompleted": {
    row: editors,
    call: (caller, { taskId }) => caller.tasks.setCompleted({ taskId, completed: true }),
  },
  "tasks.move": { row: editors, call: (caller, { taskId }) => caller.tasks.move({ taskId, afterTaskId: null }) },
  "tasks.move (after another project's task)": {
    row: row("UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", "NOT_FOUND", "NOT_FOUND", "FORBIDDEN", "FORBIDDEN", "NOT_FOUND"),
    call: (caller, { taskId, foreignTaskId }) => caller.tasks.move({ taskId, afterTaskId: foreignTaskId }),
  },
  "tasks.byKey": { row: readers, call: (caller, { taskKey }) => caller.tasks.byKey({ key: taskKey }) },
  "tasks.byKey (as a client)": {
    row: adminsOnly,
    call: (caller, { taskKey, clientId }) => caller.tasks.byKey({ key: taskKey, asClientId: clientId }),
  },
  "tasks.mine": { row: own, call: (caller) => caller.tasks.mine() },
  "tasks.delete": { row: editors, call: (caller, { taskId }) => caller.tasks.delete({ taskId }) },
  "labels.list": { row: own, call: (caller) => caller.labels.list() },
  "labels.usage": { row: employees, call: (caller, { labelId }) => caller.labels.usage({ labelId }) },
  "labels.create": {
    row: employees,
    call: (caller) => caller.labels.create({ name: randomUUID(), colour: "blue" }),
  },
  "labels.update": { row: employees, call: (caller, { labelId }) => caller.labels.update({ labelId, colour: "red" }) },
  "labels.delete": { row: employees, call: (caller, { labelId }) => caller.labels.delete({ labelId }) },
  "labels.onChange": { row: own, call: (caller) => openAndClose(caller.labels.onChange()) },
  "search.all": { row: own, call: (caller) => caller.search.all({ q: "project" }) },
  "search.all (as a client)": {
    row: adminsOnly,
    call: (caller, { clientId }) => caller.search.all({ q: "project", asClientId: clientId }),
  },
  "overview.sinceLastVisit": { row: own, call: (caller) => caller.overview.sinceLastVisit() },
  "overview.changes": {
    row: own,
    call: (caller) => caller.overview.changes({ since: "2026-11-01T00:00:00Z", kind: "tasksDone" }),
  },
  "overview.markSeen": { row: own, call: (caller) => caller.overview.markSeen({ upTo: new Date() }) },
  "overview.waiting": { row: own, call: (caller) => caller.overview.waiting() },
  "overview.replyTimes": { row: adminsOnly, call: (caller) => caller.overview.replyTimes() },
};
