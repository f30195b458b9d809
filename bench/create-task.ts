import { appendedRank } from "../db/ranks";
import { judgeFeatures, TASK_FEATURES } from "./lib/features";
import { interleave, SMALL_CALLS_WARM_UP_MS } from "./lib/measure";
import { makeFirm, startRig } from "./lib/rig";
import { judge } from "./lib/verdict";

/*
 * Creating a task with all that belongs to it (session, visibility, number, rank, assignee, history, notification) beside a
 * floor that only reads the session and inserts one row.
 *
 * Processor time of a call in microseconds, ours / the floor's: Node.js 630 / 360, PostgreSQL 645 / 295, the load 150 / 125. Of
 * PostgreSQL's 350 more, the project's row (lock, number, totals) takes 110, the line of history 110, the assignee 60 and the
 * notification 50 besides waking the listeners up; without the index on status it was 2 % less. With the floor's own Node.js time the
 * sum would be 0.68 of ours: on two busy cores the goal is out of reach as long as a task has all these.
 */

const rig = await startRig();
try {
  const { user, projectIds } = await makeFirm(rig.db, { projects: 40, tasks: 400 });
  const cookie = await rig.cookieOf(user);
  const post = async (url: string, body: object) => {
    const answer = await fetch(url, {
      method: "POST",
      headers: { cookie, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.arrayBuffer()).byteLength;
  };
  let count = 0;
  const next = () => projectIds[count++ % projectIds.length];
  let number = 1_000_000;
  const create = () =>
    post(`${rig.server.url}/api/trpc/tasks.create`, {
      json: { projectId: next(), title: "Measured", description: "About it." },
    });
  const bare = () => {
    number += 1;
    return { projectId: next(), number, rank: appendedRank(number), title: "Measured" };
  };
  const { rates, tails } = await interleave("create task", {
    concurrency: 8,
    warmUpMs: SMALL_CALLS_WARM_UP_MS,
    subject: create,
    floor: () => post(`${rig.floor.url}/trpc/createTask`, bare()),
  });
  judge({ what: "tasks.create, c8", goal: { atLeast: 0.75, unit: "of the floor's rate" }, values: rates });
  judge({ what: "tasks.create, c8: p99", goal: { atMost: 3, unit: "times the floor's" }, values: tails });
  await judgeFeatures("tasks.create, c8", {
    features: TASK_FEATURES,
    subject: create,
    floor: (features) => post(`${rig.floor.url}/trpc/createTaskWith`, { ...bare(), features }),
  });
} finally {
  await rig.close();
}
