import { randomUUID } from "node:crypto";
import { parseArgs } from "node:util";
import { makeConversation, makeUser } from "../db/factories";
import { comparePaired } from "./lib/measure";
import { type Pair, startPair } from "./lib/pair";
import { makeFirm } from "./lib/rig";
import { mutate } from "./lib/sockets";
import { judge, NEEDS_AGAINST, otherCheckout } from "./lib/verdict";

/*
 * Has it become slower? `npm run bench paired -- --against COMMIT-OR-FOLDER`: both servers run beside each other on one
 * PostgreSQL, with the same firm in a database each. No 95 % interval may lie wholly below 0.95.
 */

const GOAL = { atLeast: 0.95, unit: "of its rate" };
const CALLS = ["tasks.list", "projects.list", "tasks.create", "chat.send"] as const;

const { values } = parseArgs({ options: { seconds: { type: "string", default: "1" } }, strict: false });
const other = otherCheckout();
if (other === null) {
  for (const call of CALLS)
    judge({ what: `${call} beside the other version`, goal: GOAL, values: [], missing: NEEDS_AGAINST });
} else {
  const pair = await startPair(other);
  try {
    await compare(pair, Number(values.seconds) * 1_000);
  } finally {
    await pair.close();
  }
}

async function compare(pair: Pair, durationMs: number): Promise<void> {
  const { cookie, adminCookie, projectIds, conversationIds } = await fill(pair);
  const read = (path: string, input: object) => (api: string) => async () => {
    const url = `${api}/${path}?input=${encodeURIComponent(JSON.stringify({ json: input }))}`;
    const answer = await fetch(url, { headers: { cookie } });
    if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
    return answer.arrayBuffer();
  };
  let count = 0;
  const next = (ids: readonly string[]) => ids[count++ % ids.length];
  const write = (path: string, by: string, input: () => object) => (api: string) => () =>
    mutate(`${api}/${path}`, by, input());
  const task = () => ({ projectId: next(projectIds), title: "Measured", description: "About it." });
  const message = () => ({ conversationId: next(conversationIds), text: "Measured", clientMessageId: randomUUID() });
  const calls: Record<(typeof CALLS)[number], { concurrency: number; call: (api: string) => () => Promise<unknown> }> =
    {
      "tasks.list": { concurrency: 16, call: read("tasks.list", { projectId: projectIds[0] }) },
      "projects.list": { concurrency: 16, call: read("projects.list", { scope: "mine" }) },
      "tasks.create": { concurrency: 8, call: write("tasks.create", cookie, task) },
      "chat.send": { concurrency: 8, call: write("chat.send", adminCookie, message) },
    };
  for (const name of CALLS) {
    const { concurrency, call } = calls[name];
    const work = (server: { url: string }) => {
      const one = call(`${server.url}/api/trpc`);
      return async () => void (await one());
    };
    const { low, ratio, high } = await comparePaired(name, {
      concurrency,
      durationMs,
      works: [work(pair.ours), work(pair.theirs)],
    });
    judge({ what: `${name} beside the other version`, goal: GOAL, values: [low, ratio, high] });
    if (high < GOAL.atLeast) process.exitCode = 1;
  }
}

async function fill({ db, cookieOf, copyRows }: Pair) {
  const { user, people, projectIds } = await makeFirm(db, { projects: 100, tasks: 1_500, tasksOfFirst: 200 });
  const admin = await makeUser(db, { accountType: "admin" });
  const conversationIds: string[] = [];
  for (const other of people) {
    conversationIds.push((await makeConversation(db, { between: [admin.id, other.id], messages: [] })).id);
  }
  const [cookie, adminCookie] = [await cookieOf(user), await cookieOf(admin)];
  await copyRows();
  return { cookie, adminCookie, projectIds, conversationIds };
}
