import type { TestCaller } from "../caller";
import { type Objects, REQUEST } from "./objects";
import {
  adminsOnly,
  answering,
  deciders,
  type Entry,
  editors,
  managers,
  openAndClose,
  own,
  type Rows,
  readers,
  signers,
  withNull,
  writers,
} from "./rows";

const task = { title: "A task", description: "What to do." };

type Decide = (caller: TestCaller, request: Objects["requests"]["open"]) => Promise<unknown>;
const DECISIONS: Record<string, Decide> = {
  accept: (caller, { id: requestId }) => caller.requests.accept({ requestId, task }),
  askBack: (caller, { id: requestId }) => caller.requests.askBack({ requestId, text: "Which?" }),
  decline: (caller, { id: requestId }) => caller.requests.decline({ requestId, reason: "Not yet." }),
  markDuplicate: (caller, { id: requestId, otherId }) =>
    caller.requests.markDuplicate({ requestId, ofRequestId: otherId }),
};

/** Rows of the access matrix. */
export const CLIENTS: Rows = {
  "requests.list": { row: own, call: (caller) => caller.requests.list({}) },
  "requests.list (of a project)": {
    row: readers,
    call: (caller, { requests: { closed } }) => caller.requests.list({ projectId: closed.projectId }),
  },
  "requests.list (as a client)": {
    row: adminsOnly,
    call: (caller, { clientId }) => caller.requests.list({ asClientId: clientId }),
  },
  "requests.byId": {
    row: readers,
    call: (caller, { requests: { closed } }) => caller.requests.byId({ requestId: closed.id }),
  },
  "requests.byId (as a client)": {
    row: adminsOnly,
    call: (caller, { requests: { open }, clientId }) =>
      caller.requests.byId({ requestId: open.id, asClientId: clientId }),
  },
  "requests.counts": { row: own, call: (caller) => caller.requests.counts() },
  "requests.counts (as a client)": {
    row: adminsOnly,
    call: (caller, { clientId }) => caller.requests.counts({ asClientId: clientId }),
  },
  "requests.create": {
    row: readers,
    call: (caller, { requests: { open } }) => caller.requests.create({ projectId: open.projectId, ...REQUEST }),
  },
  "requests.create (without client collaboration)": {
    row: writers,
    call: (caller, { requests: { closed } }) => caller.requests.create({ projectId: closed.projectId, ...REQUEST }),
  },
  "requests.answer": {
    row: answering("ok"),
    call: (caller, { requests: { open } }) => caller.requests.answer({ requestId: open.id, text: "Yes." }),
  },
  "requests.answer (without client collaboration)": {
    row: answering("FORBIDDEN"),
    call: (caller, { requests: { closed } }) => caller.requests.answer({ requestId: closed.id, text: "Yes." }),
  },
  ...Object.fromEntries(
    Object.entries(DECISIONS).flatMap(([name, decide]): [string, Entry][] => [
      [`requests.${name}`, { row: deciders, call: (caller, { requests: { closed } }) => decide(caller, closed) }],
      [
        `requests.${name} (of a project that one does not manage)`,
        {
          row: { ...deciders, involved: "FORBIDDEN" },
          call: (caller, { requests: { unmanaged } }) => decide(caller, unmanaged),
        },
      ],
    ]),
  ),
  "requests.onChange": { row: own, call: (caller) => openAndClose(caller.requests.onChange()) },
  "signOffs.list": {
    row: readers,
    call: (caller, { open: { projectId } }) => caller.signOffs.list({ projectId }),
  },
  "signOffs.list (of all projects)": { row: own, call: (caller) => caller.signOffs.list({}) },
  "signOffs.list (as a client)": {
    row: adminsOnly,
    call: (caller, { open: { projectId }, clientId }) => caller.signOffs.list({ projectId, asClientId: clientId }),
  },
  "signOffs.byId": {
    row: readers,
    call: (caller, { signOffs }) => caller.signOffs.byId({ signOffId: signOffs.closed }),
  },
  "signOffs.byId (as a client)": {
    row: adminsOnly,
    call: (caller, { signOffs, clientId }) => caller.signOffs.byId({ signOffId: signOffs.open, asClientId: clientId }),
  },
  // The involved user manages nothing; server/sign-offs/router.test.ts has managers.
  "signOffs.ask": {
    row: managers,
    call: (caller, { open: { projectId } }) => caller.signOffs.ask({ projectId, all: true, note: "Please." }),
  },
  "signOffs.ask (without client collaboration)": {
    row: { ...managers, admin: "CONFLICT" },
    call: (caller, { projectId }) => caller.signOffs.ask({ projectId, all: true, note: "Please." }),
  },
  "signOffs.withdraw": {
    row: managers,
    call: (caller, { signOffs }) => caller.signOffs.withdraw({ signOffId: signOffs.open }),
  },
  "signOffs.approve": {
    row: signers,
    // One of the client's people, who was not asked.
    clientPerson: "FORBIDDEN",
    call: (caller, { signOffs }) => caller.signOffs.approve({ signOffId: signOffs.open }),
  },
  "signOffs.approve (without client collaboration)": {
    row: { ...signers, client: "FORBIDDEN" },
    // One of the client's people, who was not asked.
    clientPerson: "FORBIDDEN",
    call: (caller, { signOffs }) => caller.signOffs.approve({ signOffId: signOffs.closed }),
  },
  "signOffs.requestChanges": {
    row: signers,
    // One of the client's people, who was not asked.
    clientPerson: "FORBIDDEN",
    call: (caller, { signOffs }) => caller.signOffs.requestChanges({ signOffId: signOffs.open, reason: "Not yet." }),
  },
  "signOffs.requestChanges (without client collaboration)": {
    row: { ...signers, client: "FORBIDDEN" },
    // One of the client's people, who was not asked.
    clientPerson: "FORBIDDEN",
    call: (caller, { signOffs }) => caller.signOffs.requestChanges({ signOffId: signOffs.closed, reason: "No." }),
  },
  "statusUpdates.list": { row: readers, call: (caller, { projectId }) => caller.statusUpdates.list({ projectId }) },
  "statusUpdates.list (as a client)": {
    row: adminsOnly,
    call: (caller, { projectId, clientId }) => caller.statusUpdates.list({ projectId, asClientId: clientId }),
  },
  ...Object.fromEntries(
    (["managed", "projectId"] as const).flatMap((which): [string, Entry][] => {
      const idOf = (objects: Objects) => objects[which];
      // Who only takes part sees the project, and writes nothing to its client.
      const managers = { ...editors, involved: which === "managed" ? ("ok" as const) : ("FORBIDDEN" as const) };
      const name = which === "managed" ? "of its managers" : "of others";
      return [
        [
          `statusUpdates.draft (${name})`,
          { row: managers, call: (caller, objects) => caller.statusUpdates.draft({ projectId: idOf(objects) }) },
        ],
        [
          `statusUpdates.send (${name})`,
          {
            row: managers,
            call: (caller, objects) =>
              caller.statusUpdates.send({ projectId: idOf(objects), health: "on-track", text: "All is well." }),
          },
        ],
        [
          `projects.saveAsTemplate (${name})`,
          { row: managers, call: (caller, objects) => caller.projects.saveAsTemplate({ projectId: idOf(objects) }) },
        ],
        [
          `projects.findings (${name})`,
          { row: managers, call: (caller, objects) => caller.projects.findings({ projectId: idOf(objects) }) },
        ],
        [
          `projects.livePulse (${name})`,
          {
            // It has no live link.
            row: withNull(managers),
            call: (caller, objects) => caller.projects.livePulse({ projectId: idOf(objects) }),
          },
        ],
        [
          `projects.update (status reminder, ${name})`,
          {
            row: managers,
            call: (caller, objects) =>
              caller.projects.update({ projectId: idOf(objects), version: 1, patch: { statusReminder: true } }),
          },
        ],
      ];
    }),
  ),
};
