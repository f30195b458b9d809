import { randomUUID } from "node:crypto";
import type { Db, Sql } from "../../db/client";
import { findListVersion } from "../../server/projects/list-version";
import { findTasksVersion } from "../../server/tasks/list-version";
import type { TestCaller } from "../../server/test/caller";
import type { Screens } from "./growing-firm";
import { median } from "./measure";

/** A call of one of the three people, and whether it shows all there is of something, which may cost more when there is more. */
export interface GrowthCall {
  name: string;
  who: "employee" | "client" | "admin";
  call: (caller: TestCaller, screens: Screens, db: Db) => Promise<unknown>;
  /** It shows every row of a kind, so that its cost may grow with them. */
  showsAll?: boolean;
}

const day = (fromNow: number) => new Date(Date.now() + fromNow * 86_400_000).toISOString().slice(0, 10);
const first = ({ projectIds }: Screens) => projectIds[0] ?? "";

export const GROWTH_CALLS: GrowthCall[] = [
  { who: "employee", name: "auth.me", call: (caller) => caller.auth.me() },
  { who: "employee", name: "projects.list", call: (caller) => caller.projects.list({ scope: "mine" }) },
  {
    who: "employee",
    name: "projects.list, unchanged",
    call: (_, { employee }, db) => findListVersion(db, { actor: employee, scope: "mine" }),
  },
  {
    who: "employee",
    name: "projects.byId",
    call: (caller, screens) => caller.projects.byId({ projectId: first(screens) }),
  },
  { who: "employee", name: "tasks.list", call: (caller, screens) => caller.tasks.list({ projectId: first(screens) }) },
  {
    who: "employee",
    name: "tasks.list, unchanged",
    call: (_, screens, db) =>
      findTasksVersion({ db, reply: null }, { projectId: first(screens), actor: screens.employee }),
  },
  { who: "employee", name: "tasks.mine", call: (caller) => caller.tasks.mine() },
  {
    who: "employee",
    name: "projects.calendar",
    call: (caller) => caller.projects.calendar({ from: day(-10), to: day(20) }),
  },
  { who: "employee", name: "projects.history", call: (caller) => caller.projects.history({}) },
  {
    who: "employee",
    name: "projects.history (one)",
    call: (caller, screens) => caller.projects.history({ projectId: first(screens) }),
  },
  { who: "employee", name: "search.all", call: (caller) => caller.search.all({ q: "harbour" }) },
  { who: "employee", name: "chat.conversations", call: (caller) => caller.chat.conversations() },
  {
    who: "employee",
    name: "chat.messages",
    call: (caller, { conversationId }) => caller.chat.messages({ conversationId }),
  },
  { who: "employee", name: "chat.recipients", call: (caller) => caller.chat.recipients(), showsAll: true },
  { who: "employee", name: "users.assignable", call: (caller) => caller.users.assignable(), showsAll: true },
  { who: "employee", name: "users.clients", call: (caller) => caller.users.clients(), showsAll: true },
  { who: "employee", name: "users.team", call: (caller) => caller.users.team(), showsAll: true },
  {
    who: "employee",
    name: "tasks.create",
    call: (caller, { projectIds }) =>
      caller.tasks.create({ projectId: projectIds[3] ?? "", title: "One more", description: "To do." }),
  },
  {
    who: "employee",
    name: "chat.send",
    call: (caller, { conversationId }) =>
      caller.chat.send({ conversationId, text: "One more", clientMessageId: randomUUID() }),
  },
  ...(["employee", "client", "admin"] as const).flatMap((who): GrowthCall[] => {
    // What waits in any project is the admin's to see.
    const showsAll = who === "admin";
    return [
      { who, name: "requests.counts", call: (caller) => caller.requests.counts(), showsAll },
      { who, name: "requests.list", call: (caller) => caller.requests.list({}) },
      { who, name: "signOffs.list", call: (caller) => caller.signOffs.list({}), showsAll },
      { who, name: "overview.sinceLastVisit", call: (caller) => caller.overview.sinceLastVisit(), showsAll },
      { who, name: "overview.waiting", call: (caller) => caller.overview.waiting(), showsAll },
    ];
  }),
  ...(["employee", "client"] as const).map(
    (who): GrowthCall => ({
      who,
      name: "comments.list",
      call: (caller, screens) => caller.comments.list({ subject: { projectId: first(screens) } }),
    }),
  ),
  {
    who: "employee",
    name: "statusUpdates.list",
    call: (caller, screens) => caller.statusUpdates.list({ projectId: first(screens) }),
  },
  { who: "employee", name: "tasks.byKey", call: (caller, { taskKey }) => caller.tasks.byKey({ key: taskKey }) },
  { who: "employee", name: "notifications.unread", call: (caller) => caller.notifications.unread() },
  { who: "employee", name: "notifications.list", call: (caller) => caller.notifications.list({}) },
  { who: "employee", name: "projects.findings", call: (caller) => caller.projects.findings() },
  { who: "admin", name: "projects.findings", call: (caller) => caller.projects.findings(), showsAll: true },
  { who: "admin", name: "users.invitations", call: (caller) => caller.users.invitations(), showsAll: true },
  { who: "client", name: "projects.list", call: (caller) => caller.projects.list({ scope: "mine" }) },
  { who: "client", name: "tasks.list", call: (caller, screens) => caller.tasks.list({ projectId: first(screens) }) },
  { who: "client", name: "github.commits", call: (caller) => caller.github.commits() },
  { who: "client", name: "projects.history", call: (caller) => caller.projects.history({}) },
  { who: "client", name: "search.all", call: (caller) => caller.search.all({ q: "harbour" }) },
  { who: "admin", name: "projects.list", call: (caller) => caller.projects.list({ scope: "all" }), showsAll: true },
  { who: "admin", name: "projects.history", call: (caller) => caller.projects.history({}) },
  {
    who: "admin",
    name: "projects.calendar",
    call: (caller) => caller.projects.calendar({ from: day(-10), to: day(20) }),
    showsAll: true,
  },
  { who: "admin", name: "github.commits", call: (caller) => caller.github.commits() },
  { who: "admin", name: "users.list", call: (caller) => caller.users.list({}), showsAll: true },
  { who: "admin", name: "inquiries.list", call: (caller) => caller.inquiries.list({}), showsAll: true },
  { who: "admin", name: "audit.list", call: (caller) => caller.audit.list({}) },
  { who: "admin", name: "chat.conversations", call: (caller) => caller.chat.conversations() },
  { who: "admin", name: "search.all", call: (caller) => caller.search.all({ q: "harbour" }), showsAll: true },
];

/** What one call costs. */
export interface Cost {
  /** Of 8 KiB, that PostgreSQL had to look at, cached or not. */
  pages: number;
  /** Of the answer as JSON. */
  bytes: number;
  /** The median of some calls. */
  ms: number;
}

/**
 * A tree grows a level now and then, and a plan may change with the size: at most 2.5 times the pages from one size to eight times it.
 * What shows all of a kind may grow with it, but not faster.
 */
export const MAX_EXPONENT = { showsPart: 0.45, showsAll: 1.1 };

/** From the sixth time on PostgreSQL may keep one plan for all values. */
const WARM_UPS = 7;
const TIMES = 3;

/** The cost of a call on a pool of a single connection, by PostgreSQL's own count. */
export async function costOf(
  sql: Sql,
  call: () => Promise<unknown>,
  { warmUps = WARM_UPS, times: count = TIMES } = {},
): Promise<Cost> {
  for (let time = 0; time < warmUps; time += 1) await call();
  await countPages(sql);
  const before = await countPages(sql);
  // Counting looks at some itself.
  const counting = (await countPages(sql)) - before;
  const times: number[] = [];
  let answer: unknown;
  for (let time = 0; time < count; time += 1) {
    const startedAt = performance.now();
    answer = await call();
    times.push(performance.now() - startedAt);
  }
  const pages = ((await countPages(sql)) - before - 2 * counting) / count;
  return { pages, bytes: Buffer.byteLength(JSON.stringify(answer ?? null)), ms: median(times) };
}

async function countPages(sql: Sql): Promise<number> {
  await sql`select pg_stat_force_next_flush()`;
  const [row] =
    await sql`select blks_hit + blks_read as pages from pg_stat_database where datname = current_database()`;
  return Number(row?.pages);
}

/** The slope of a cost over the size, both as logarithms: 0 where it stays, 1 where it doubles with it. */
export function exponentOf(points: readonly { size: number; cost: number }[]): number {
  const logs = points.map(({ size, cost }) => ({ x: Math.log(size), y: Math.log(Math.max(cost, 1)) }));
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(logs.map((log) => log.x)), mean(logs.map((log) => log.y))];
  return (
    logs.reduce((sum, log) => sum + (log.x - x) * (log.y - y), 0) / logs.reduce((sum, log) => sum + (log.x - x) ** 2, 0)
  );
}
