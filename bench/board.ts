import { interleave } from "./lib/measure";
import { makeFirm, startRig } from "./lib/rig";
import { judge } from "./lib/verdict";

/*
 * What a board and a panel cost on the server: the whole list of 300 projects over 5,000 tasks, and the 200 tasks of one
 * project, each beside the bare floor in the same run; and each again by its tag, beside the whole answer. And whether the list is
 * the same with ten times as many tasks in projects that it does not show; the floor's panel, which they do not touch, stands for
 * the machine.
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
  const list = read(`${api}/projects.list?input=${ask({ scope: "mine" })}`);
  const floorPanel = read(`${rig.floor.url}/trpc/tasks?input=${encodeURIComponent(JSON.stringify(projectId))}`);
  const panel = await interleave("tasks.list, 200 tasks", {
    concurrency: CONCURRENCY,
    subject: read(`${api}/tasks.list?input=${ask({ projectId })}`),
    floor: floorPanel,
  });
  judge({ what: "tasks.list, 200 tasks, c16", goal: GOAL, values: panel.rates });
  const board = await interleave("projects.list, 300 projects with 5,000 tasks", {
    concurrency: CONCURRENCY,
    subject: list,
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
  const besidePanel = (name: string) =>
    interleave(name, { concurrency: CONCURRENCY, subject: list, floor: floorPanel });
  const alone = await besidePanel("projects.list beside the floor's tasks.list");
  await makeFirm(rig.db, { projects: 300, tasks: 50_000 });
  const among = await besidePanel("the same with 50,000 tasks elsewhere");
  judge({
    what: "projects.list, ten times as many tasks in projects not shown",
    goal: { atLeast: 0.95, unit: "of its rate without them" },
    values: among.rates.map((rate, at) => rate / (alone.rates[at] ?? Number.NaN)),
  });
} finally {
  await rig.close();
}
