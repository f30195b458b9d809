import { Agent, get } from "node:http";
import { interleave } from "./lib/measure";
import { makeFirm, startRig } from "./lib/rig";
import { judge } from "./lib/verdict";

/*
 * What a board and a panel cost on the server: the whole list of 300 projects over 5,000 tasks, and the 200 tasks of one
 * project, each beside the bare floor in the same run; and each again by its tag, beside the whole answer. And whether the list is
 * the same with ten times as many tasks in projects that it does not show: two servers with databases of their own, each with as many
 * of these projects, asked in turns.
 *
 * An unchanged `tasks.list` takes 230 us of Node.js, 95 of PostgreSQL and 70 of the load; the whole answer 890,
 * 1,980 and 510 (all on a faster machine, before PostgreSQL's connections kept their memory). That is 8 times the processor time, but the 304 is one thread's work and the whole answer two cores':
 * for 6 times the rate that thread has 280 us, which is met only where nothing else takes its core. Of an unfiltered `projects.list`
 * PostgreSQL takes 9.7 ms: 3.5 write 300 projects as JSON, 3 find and write their people, 1.2 are the version, which a tag needs. With
 * another 300 projects elsewhere it takes 0.9 ms more: small tables that PostgreSQL reads whole rather than by index.
 */

const CONCURRENCY = 16;
const GOAL = { atLeast: 0.85, unit: "of the floor's rate" };
const GOAL_ALIKE = { atLeast: 0.85, unit: "of the rate of a floor with the same answer" };
const GOAL_UNCHANGED = { atLeast: 6, unit: "times the rate of the whole answer" };

const agent = new Agent({ keepAlive: true });
const SHOWN = { projects: 300, tasks: 5_000, tasksOfFirst: 200 };
const ask = (input: object) => encodeURIComponent(JSON.stringify({ json: input }));
const LIST = `/api/trpc/projects.list?input=${ask({ scope: "mine" })}`;

const rig = await startRig();
try {
  const { user, projectIds } = await makeFirm(rig.db, SHOWN);
  const cookie = await rig.cookieOf(user);
  const [projectId = ""] = projectIds;
  const panelUrl = `${rig.server.url}/api/trpc/tasks.list?input=${ask({ projectId })}`;
  const listUrl = `${rig.server.url}${LIST}`;
  const list = read(listUrl, cookie);
  const panel = await interleave("tasks.list, 200 tasks", {
    concurrency: CONCURRENCY,
    subject: read(panelUrl, cookie),
    floor: read(`${rig.floor.url}/trpc/tasks?input=${encodeURIComponent(JSON.stringify(projectId))}`, cookie),
  });
  judge({ what: "tasks.list, 200 tasks, c16", goal: GOAL, values: panel.rates });
  const board = await interleave("projects.list, 300 projects with 5,000 tasks", {
    concurrency: CONCURRENCY,
    subject: list,
    floor: read(`${rig.floor.url}/trpc/projects`, cookie),
  });
  judge({ what: "projects.list, 300 projects, c16", goal: GOAL, values: board.rates });
  for (const { what, subject, floor } of [
    {
      what: "tasks.list, 200 tasks",
      subject: read(panelUrl, cookie),
      floor: `tasksAlike?input=${encodeURIComponent(JSON.stringify(projectId))}`,
    },
    { what: "projects.list, 300 projects", subject: list, floor: "projectsAlike" },
  ]) {
    const { rates } = await interleave(`${what}, beside a floor with the same answer`, {
      concurrency: CONCURRENCY,
      subject,
      floor: read(`${rig.floor.url}/trpc/${floor}`, cookie),
    });
    judge({ what: `${what}, the same answer`, goal: GOAL_ALIKE, values: rates });
  }
  for (const [what, url] of Object.entries({
    "tasks.list, 200 tasks": panelUrl,
    "projects.list, 300 projects": listUrl,
  })) {
    const tag = (await fetch(url, { headers: { cookie } })).headers.get("etag") ?? "";
    const unchanged = await interleave(`${what}, unchanged, beside the whole answer`, {
      concurrency: CONCURRENCY,
      subject: read(url, cookie, tag),
      floor: read(url, cookie),
    });
    judge({ what: `${what}, unchanged, c16`, goal: GOAL_UNCHANGED, values: unchanged.rates });
  }
  const crowded = await startRig({ withFloor: false });
  try {
    const sameFirm = await makeFirm(crowded.db, SHOWN);
    await makeFirm(crowded.db, { projects: 300, tasks: 50_000 });
    await makeFirm(rig.db, { projects: 300, tasks: 5_000 });
    const among = await interleave("projects.list among 50,000 tasks elsewhere, beside the one among 5,000", {
      concurrency: CONCURRENCY,
      subject: read(`${crowded.server.url}${LIST}`, await crowded.cookieOf(sameFirm.user)),
      floor: list,
    });
    judge({
      what: "projects.list, ten times as many tasks in projects not shown",
      goal: { atLeast: 0.95, unit: "of its rate with as many as it shows" },
      values: among.rates,
    });
  } finally {
    await crowded.close();
  }
} finally {
  await rig.close();
}

/** A call that gives the bytes of its answer, which is 304 when it brings a tag. Node's `fetch` would cost more than that answer. */
function read(url: string, cookie: string, tag?: string): () => Promise<number> {
  const headers = { cookie, "accept-encoding": "identity", ...(tag !== undefined && { "if-none-match": tag }) };
  return () =>
    new Promise((resolve, reject) => {
      const request = get(url, { agent, headers }, (answer) => {
        let bytes = 0;
        answer.on("data", (piece: Buffer) => {
          bytes += piece.length;
        });
        answer.once("end", () => {
          if (answer.statusCode === (tag === undefined ? 200 : 304)) resolve(bytes);
          else reject(new Error(`${url} answered ${answer.statusCode}`));
        });
      });
      request.once("error", reject);
    });
}
