import { createHmac } from "node:crypto";
import { messageOutbox } from "@/features/chat/outbox";
import { commentOutbox } from "@/features/comments/outbox";
import type { Db } from "../../db/client";
import { makeProject, makeSession, makeTask, makeUser } from "../../db/factories";
import type { Participant } from "./history";
import type { StreamKind } from "./inbox";
import { createJournal, type Journal } from "./journal";
import { type NetworkProxy, openNetworkProxy } from "./network-proxy";
import { createOutbox } from "./outbox";
import { Page } from "./page";
import type { Recorder } from "./recorder";
import { openTab, type Tab } from "./tab";

/** The people of one round, who have never written to each other before, each behind a proxy of their own. */
export interface Company {
  people: readonly Participant[];
  /** By person. */
  proxies: ReadonlyMap<string, NetworkProxy>;
  tabs: readonly Tab[];
  outsiders: readonly Outsider[];
  /** Of the project that all but the outsiders take part in; its client may write too. */
  taskIds: readonly string[];
  close(): Promise<void>;
}

interface Outsider {
  person: Participant;
  page: Page;
  journal: Journal;
}

interface Role {
  name: string;
  accountType: "admin" | "user" | "client";
  tabs: number;
  partners: readonly string[];
  stream?: StreamKind;
}

/** Every pair has exactly one admin; one admin and one client have no part in anything. One person uses no browser. */
const ROLES: readonly Role[] = [
  { name: "Asha", accountType: "admin", tabs: 2, partners: ["Chitra", "Dev"] },
  { name: "Bela", accountType: "admin", tabs: 1, partners: ["Chitra", "Dev"], stream: "chat.onInbox" },
  { name: "Chitra", accountType: "user", tabs: 2, partners: ["Asha", "Bela"] },
  { name: "Dev", accountType: "client", tabs: 1, partners: ["Asha", "Bela"] },
  { name: "Esha", accountType: "admin", tabs: 1, partners: [] },
  { name: "Farid", accountType: "client", tabs: 1, partners: [] },
];

interface CompanyOptions {
  db: Db;
  ports: () => readonly number[];
  secret: string;
  recorder: Recorder;
  mark: string;
  /** Multiplies the number of tabs. */
  crowd: number;
}

export async function gather({ db, ports, secret, recorder, mark, crowd }: CompanyOptions): Promise<Company> {
  const ids = new Map<string, string>();
  for (const { name, accountType } of ROLES) ids.set(name, (await makeUser(db, { name, accountType })).id);
  const idOf = (name: string) => ids.get(name) ?? "";
  const proxies = new Map<string, NetworkProxy>();
  const tabs: Tab[] = [];
  const outsiders: Outsider[] = [];
  const people: Participant[] = [];
  const taskIds = await makeTasks(db, idOf);
  for (const role of ROLES) {
    const isOutside = role.partners.length === 0;
    const person: Participant = {
      id: idOf(role.name),
      name: role.name,
      partnerIds: role.partners.map(idOf),
      isClient: role.accountType === "client",
      isInProject: !isOutside,
    };
    const proxy = await openNetworkProxy(ports);
    const cookie = sessionCookie((await makeSession(db, { userId: person.id })).token, secret);
    people.push(person);
    proxies.set(person.id, proxy);
    const access = { url: proxy.url, cookie, recorder, stream: role.stream ?? "live.onEvent" };
    if (isOutside) outsiders.push(openOutsider({ person, ...access }));
    for (let at = 1; at <= role.tabs * crowd && !isOutside; at += 1) {
      tabs.push(openTab({ name: `${role.name}/${at}`, person, ...access, mark, taskIds }));
    }
  }
  return {
    people,
    proxies,
    tabs,
    outsiders,
    taskIds,
    async close() {
      for (const tab of tabs) tab.close();
      for (const { page } of outsiders) page.close();
      await Promise.all([...proxies.values()].map((proxy) => proxy.close()));
    },
  };
}

/** Two tasks, of which everybody in the project is told: as creator, manager, assignee or client. */
async function makeTasks(db: Db, idOf: (name: string) => string): Promise<string[]> {
  const [createdBy, manager, assignee] = [idOf("Asha"), idOf("Bela"), idOf("Chitra")];
  const project = await makeProject(db, {
    createdBy,
    managers: [manager],
    assignedTo: [assignee],
    clientId: idOf("Dev"),
    clientCollaboration: true,
  });
  const task = { projectId: project.id, createdBy, assignedTo: [assignee] };
  return [(await makeTask(db, task)).id, (await makeTask(db, task)).id];
}

/** Their list is always open, and must stay empty. */
function openOutsider({
  person,
  recorder,
  ...access
}: {
  person: Participant;
  url: string;
  cookie: string;
  recorder: Recorder;
  stream: StreamKind;
}): Outsider {
  const journal = createJournal(recorder, { tab: `${person.name}/1`, personId: person.id, life: 0 });
  const outboxes = { outbox: createOutbox(messageOutbox), commentOutbox: createOutbox(commentOutbox) };
  return { person, journal, page: new Page({ personId: person.id, ...access, ...outboxes, journal }) };
}

/** The cookie that the browser would send after signing in. */
function sessionCookie(token: string, secret: string): string {
  const signature = createHmac("sha256", secret).update(token).digest("base64");
  return `sangam.session_token=${encodeURIComponent(`${token}.${signature}`)}`;
}
