import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "../server/router";
import { type Api, api } from "./api";
import { personIds } from "./people";

export interface TestProject {
  id: string;
  title: string;
  description: string;
  dueDate: string;
  githubRepo: string;
  liveLink: string;
}

const added = new Set<string>();

/**
 * Makes a project that tests may change or delete: for Meera Rao, with Rohan Shah on it, Mitali Deshpande as its manager,
 * links, and two tasks.
 */
export async function addProject(
  admin: Api,
  name: string,
  { githubRepo = "https://github.com/konkan/harbour" }: { githubRepo?: string } = {},
): Promise<TestProject> {
  const project = {
    title: `${name} ${randomUUID().slice(0, 8)}`,
    description: "Tide tables,\nthen a day sheet to print.",
    dueDate: "2090-03-14",
    githubRepo,
    liveLink: "https://harbour.example/berths",
  };
  const [meera = "", rohan = "", mitali = ""] = await personIds(admin, "Meera Rao", "Rohan Shah", "Mitali Deshpande");
  const { id } = await admin.projects.create.mutate({
    ...project,
    status: "inProgress",
    startDate: "2090-02-01",
    clientId: meera,
    assignedTo: [rohan],
    managers: [mitali],
    tasks: [
      { title: "Read the gauges", description: "All of them." },
      { title: "Print a day sheet", description: "On one page.", dueDate: "2090-03-01" },
    ],
  });
  added.add(id);
  return { ...project, id };
}

/** Deletes what `addProject` has made and the tests have left. */
export async function removeProjects(admin: Api): Promise<void> {
  for (const projectId of added) await admin.projects.delete.mutate({ projectId }).catch(() => undefined);
  added.clear();
}

type NewProject = inferRouterInputs<AppRouter>["projects"]["create"];
type CreatedProject = inferRouterOutputs<AppRouter>["projects"]["create"];

/** Makes a project of whoever the calls are made as; what is left out is today, To Do and empty. */
export function createProject(
  caller: Api,
  { title, ...fields }: Partial<NewProject> & { title: string },
): Promise<CreatedProject> {
  return caller.projects.create.mutate({
    title,
    description: "What it is for.",
    status: "todo",
    startDate: dayFromToday(0),
    assignedTo: [],
    managers: [],
    ...fields,
  });
}

/** A calendar day where the browsers of the tests are. */
export function dayFromToday(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toLocaleDateString("sv-SE", { timeZone: "Asia/Kolkata" });
}

/** Makes a project of whoever is signed in on the page, with these tasks. Answers with its id. */
export async function addOwnProject(page: Page, title: string, tasks: string[] = []): Promise<string> {
  const { id } = await createProject(api(page), {
    title,
    status: "inProgress",
    startDate: "2026-11-01",
    tasks: tasks.map((name) => ({ title: name, description: `What ${name} takes.` })),
  });
  return id;
}
