import { interleave } from "./lib/measure";
import { makeFirm, startRig } from "./lib/rig";

/*
 * What a board and a panel cost on the server: the whole list of 300 projects over 5,000 tasks, and the 200 tasks of one
 * project, each beside the bare floor in the same run. Wanted: at least 0.70 of the floor's rate, p99 at most twice its.
 */

const CONCURRENCY = 16;

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
  await interleave("panel, 200 tasks", {
    concurrency: CONCURRENCY,
    subject: read(`${api}/tasks.list?input=${ask({ projectId })}`),
    floor: read(`${rig.floor.url}/trpc/tasks?input=${encodeURIComponent(JSON.stringify(projectId))}`),
  });
  await interleave("board, 300 projects with 5,000 tasks", {
    concurrency: CONCURRENCY,
    subject: read(`${api}/projects.list?input=${ask({ scope: "mine" })}`),
    floor: read(`${rig.floor.url}/trpc/projects`),
  });
} finally {
  await rig.close();
}
