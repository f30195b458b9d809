import { interleave } from "./lib/measure";
import { makeFirm, startRig } from "./lib/rig";
import { judge } from "./lib/verdict";

/*
 * What a board and a panel cost on the server: the whole list of 300 projects over 5,000 tasks, and the 200 tasks of one
 * project, each beside the bare floor in the same run; and each again by its tag, beside the whole answer.
 */

const CONCURRENCY = 16;
const GOAL = { atLeast: 0.85, unit: "of the floor's rate" };
const GOAL_UNCHANGED = { atLeast: 6, unit: "times the rate of the whole answer" };

const rig = await startRig();
try {
  const { user, projectIds } = await makeFirm(rig.db, { projects: 300, tasks: 5_000, tasksOfFirst: 200 });
  const cookie = await rig.cookieOf(user);
  const read = (url: string) => async () => {
    const answer = await fetch(url, { headers: { cookie, "accept-encoding": "identity" } });
    if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.arrayBuffer()).byteLength;
  };
  const ask = (input: object) => encodeURIComponent(JSON.stringify({ json: input }));
  const api = `${rig.server.url}/api/trpc`;
  const [projectId = ""] = projectIds;
  const panel = await interleave("tasks.list, 200 tasks", {
    concurrency: CONCURRENCY,
    subject: read(`${api}/tasks.list?input=${ask({ projectId })}`),
    floor: read(`${rig.floor.url}/trpc/tasks?input=${encodeURIComponent(JSON.stringify(projectId))}`),
  });
  judge({ what: "tasks.list, 200 tasks, c16", goal: GOAL, values: panel.rates });
  const board = await interleave("projects.list, 300 projects with 5,000 tasks", {
    concurrency: CONCURRENCY,
    subject: read(`${api}/projects.list?input=${ask({ scope: "mine" })}`),
    floor: read(`${rig.floor.url}/trpc/projects`),
  });
  judge({ what: "projects.list, 300 projects, c16", goal: GOAL, values: board.rates });
  for (const [what, url] of Object.entries({
    "tasks.list, 200 tasks": `${api}/tasks.list?input=${ask({ projectId })}`,
    "projects.list, 300 projects": `${api}/projects.list?input=${ask({ scope: "mine" })}`,
  })) {
    const tag = (await fetch(url, { headers: { cookie } })).headers.get("etag") ?? "";
    const unchanged = await interleave(`${what}, unchanged, beside the whole answer`, {
      concurrency: CONCURRENCY,
      async subject() {
        const answer = await fetch(url, { headers: { cookie, "if-none-match": tag } });
        if (answer.status !== 304) throw new Error(`${url} answered ${answer.status}`);
        return (await answer.arrayBuffer()).byteLength;
      },
      floor: read(url),
    });
    judge({ what: `${what}, unchanged, c16`, goal: GOAL_UNCHANGED, values: unchanged.rates });
  }
} finally {
  await rig.close();
}
