import { randomUUID } from "node:crypto";
import { expect, type Page } from "@playwright/test";

export interface TestProject {
  id: string;
  title: string;
  description: string;
  dueDate: string;
  githubRepo: string;
  liveLink: string;
}

/**
 * Makes a project of one's own through the admin who is signed in on `admin`: for Meera Rao, with Rohan Shah and the admin
 * on it, Mitali Deshpande as its manager, links, and two tasks. Tests may change or delete it.
 */
export async function addProject(
  admin: Page,
  name: string,
  { githubRepo = "https://github.com/konkan/harbour" }: { githubRepo?: string } = {},
): Promise<TestProject> {
  const people = await ask(admin, "users.assignable");
  const clients = await ask(admin, "users.clients");
  const project = {
    title: `${name} ${randomUUID().slice(0, 8)}`,
    description: "Tide tables,\nthen a day sheet to print.",
    dueDate: "2090-03-14",
    githubRepo,
    liveLink: "https://harbour.example/berths",
  };
  const answer = await admin.request.post("/api/trpc/projects.create", {
    data: {
      json: {
        ...project,
        status: "inProgress",
        startDate: "2090-02-01",
        clientId: idOf(clients, "Meera Rao"),
        assignedTo: [idOf(people, "Rohan Shah")],
        managers: [idOf(people, "Mitali Deshpande")],
        tasks: [
          { title: "Read the gauges", description: "All of them." },
          { title: "Print a day sheet", description: "On one page.", dueDate: "2090-03-01" },
        ],
      },
    },
  });
  const text = await answer.text();
  expect(answer.ok(), text).toBe(true);
  const created: { result: { data: { json: { id: string } } } } = JSON.parse(text);
  const { id } = created.result.data.json;
  made.add(id);
  return { ...project, id };
}

/** Removes what `addProject` has made and the tests have left, through the admin who is signed in on `admin`. */
export async function removeProjects(admin: Page): Promise<void> {
  for (const projectId of made)
    await admin.request.post("/api/trpc/projects.delete", { data: { json: { projectId } } });
  made.clear();
}

const made = new Set<string>();

interface Named {
  id: string;
  name: string;
}

async function ask(page: Page, procedure: string): Promise<Named[]> {
  const answer = await page.request.get(`/api/trpc/${procedure}`);
  const body: { result: { data: { json: Named[] } } } = await answer.json();
  return body.result.data.json;
}

function idOf(people: Named[], name: string): string {
  const person = people.find((one) => one.name === name);
  expect(person, name).toBeDefined();
  return person?.id ?? "";
}
