import { createHmac, randomUUID } from "node:crypto";
import { messageOutbox } from "@/features/chat/outbox";
import { commentOutbox } from "@/features/comments/outbox";
import type { Db } from "../../db/client";
import { makeProject, makeSession, makeTask, makeUser } from "../../db/factories";
import { makeRepository } from "../../db/repository-factory";
import type { Cast, Role } from "./casts";
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
  /** What all but the outsiders take part in; its client may write too. */
  projectId: string;
  taskIds: readonly string[];
  cast: Cast;
  close(): Promise<void>;
}

interface Outsider {
  person: Participant;
  page: Page;
  journal: Journal;
}

interface CompanyOptions {
  db: Db;
  ports: () => readonly number[];
  secret: string;
  recorder: Recorder;
  mark: string;
  /** Multiplies the number of tabs. */
  crowd: number;
  cast: Cast;
}

export async function gather({ db, ports, secret, recorder, mark, crowd, cast }: CompanyOptions): Promise<Company> {
  const ids = new Map<string, string>();
  for (const { name, accountType } of cast.roles) ids.set(name, (await makeUser(db, { name, accountType })).id);
  const idOf = (name: string) => ids.get(name) ?? "";
  const proxies = new Map<string, NetworkProxy>();
  const tabs: Tab[] = [];
  const outsiders: Outsider[] = [];
  const people: Participant[] = [];
  const { projectId, taskIds } = await makeWork(db, cast, idOf);
  for (const [at, role] of cast.roles.entries()) {
    const isOutside = role.inProject === null;
    const person: Participant = {
      id: idOf(role.name),
      name: role.name,
      partnerIds: role.partners.map(idOf),
      isClient: role.accountType === "client",
      isAdmin: role.accountType === "admin",
      isInProject: !isOutside,
    };
    const proxy = await openNetworkProxy(cast.isSpread ? () => rotated(ports(), at) : ports);
    const cookie = sessionCookie((await makeSession(db, { userId: person.id })).token, secret);
    people.push(person);
    proxies.set(person.id, proxy);
    const access = { url: proxy.url, cookie, recorder, stream: role.stream ?? "live.onEvent" };
    if (isOutside) outsiders.push(openOutsider({ person, ...access }));
    for (let count = 1; count <= role.tabs * crowd && !isOutside; count += 1) {
      tabs.push(openTab({ name: `${role.name}/${count}`, person, ...access, mark, taskIds }));
    }
  }
  return {
    people,
    proxies,
    tabs,
    outsiders,
    projectId,
    taskIds,
    cast,
    async close() {
      for (const tab of tabs) tab.close();
      for (const { page } of outsiders) page.close();
      await Promise.all([...proxies.values()].map((proxy) => proxy.close()));
    },
  };
}

/** A project, and tasks of which everybody in it is told. */
async function makeWork(
  db: Db,
  { roles, tasks }: Cast,
  idOf: (name: string) => string,
): Promise<Pick<Company, "projectId" | "taskIds">> {
  const idsOf = (part: Role["inProject"]) =>
    roles.filter((role) => role.inProject === part).map(({ name }) => idOf(name));
  const [createdBy = "", clientId = ""] = [...idsOf("creator"), ...idsOf("client")];
  const people = { createdBy, assignedTo: idsOf("assignee") };
  const { id: repositoryId } = await makeRepository(db, { fullName: `chaos/${randomUUID()}` });
  const side = { clientId, clientCollaboration: true, repositoryId };
  const project = await makeProject(db, { ...people, managers: idsOf("manager"), ...side });
  const made: string[] = [];
  while (made.length < tasks) made.push((await makeTask(db, { ...people, projectId: project.id })).id);
  return { projectId: project.id, taskIds: made };
}

function rotated<Item>(items: readonly Item[], by: number): Item[] {
  const at = by % Math.max(1, items.length);
  return [...items.slice(at), ...items.slice(0, at)];
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
