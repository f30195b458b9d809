/*
 * A nightly report of overdue tasks, for a mail, a channel or a file. A key of scope "read" is enough; an admin's key reports
 * on all projects, any other on its owner's.
 *
 *   SANGAM_URL=https://sangam.example SANGAM_API_KEY=sgm_… npx tsx overdue-report.ts
 */
import { pathToFileURL } from "node:url";
import { type Client, createClient, type Project, type Task } from "sangam/client";

/** One line per overdue task, the longest overdue first in each project. `today` is `YYYY-MM-DD`. */
export async function reportOverdue(client: Client, today: string): Promise<string> {
  const projects = await readProjects(client);
  const sections: string[] = [];
  for (const project of projects) {
    const overdue = await readOverdue(client, { project, today });
    if (overdue.length > 0) sections.push([project.title, ...overdue.map((task) => lineOf(project, task))].join("\n"));
  }
  return sections.length > 0 ? sections.join("\n\n") : `Nothing is overdue on ${today}.`;
}

async function readProjects(client: Client): Promise<Project[]> {
  const me = await client.auth.me.query();
  const scope = me?.accountType === "admin" ? "all" : "mine";
  const projects: Project[] = [];
  let cursor: string | null = null;
  do {
    const page = await client.projects.list.query({ scope, cursor });
    projects.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return projects;
}

async function readOverdue(client: Client, { project, today }: { project: Project; today: string }): Promise<Task[]> {
  if (project.taskCounts.total === project.taskCounts.completed) return [];
  const tasks = await client.tasks.list.query({ projectId: project.id });
  const dueDay = (task: Task) => task.dueDate ?? "9999-12-31";
  return tasks
    .filter((task) => !task.completed && dueDay(task) < today)
    .sort((a, b) => dueDay(a).localeCompare(dueDay(b)));
}

function lineOf(project: Project, task: Task): string {
  const people = task.assignedTo.map((id) => project.people.find((person) => person.id === id)?.name ?? "someone");
  return `  ${project.key}-${task.number} ${task.title} (due ${task.dueDate}; ${people.join(", ") || "nobody"})`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { SANGAM_URL: url = "", SANGAM_API_KEY: apiKey = "" } = process.env;
  const client = createClient({ url, apiKey });
  console.log(await reportOverdue(client, new Date().toISOString().slice(0, 10)));
}
