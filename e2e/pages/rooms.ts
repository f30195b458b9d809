import { expect, type Locator, type Page } from "@playwright/test";

const HEADINGS = { tasks: "Tasks", overview: "Dashboard", team: "Team", calendar: "Calendar" };

interface Saved {
  id: string;
  key: string;
  version: number;
}

/** The rooms of /dashboard beside the board, and what a test puts into them through the API. */
export class Rooms {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async open(view: keyof typeof HEADINGS, search = ""): Promise<void> {
    await this.page.goto(`/dashboard?view=${view}${search}`);
    await expect(this.page.getByRole("heading", { level: 1, name: HEADINGS[view], exact: true })).toBeVisible();
  }

  /** A group of the Tasks room. */
  group(name: string): Locator {
    return this.page.getByRole("main").getByRole("region", { name: new RegExp(`^${name}`) });
  }

  /** A day of the month. */
  cell(day: string): Locator {
    return this.page.locator(`[role="gridcell"][data-day="${day}"]`);
  }

  /** Drags what is called so to a day. */
  async drag(title: string, day: string): Promise<void> {
    const entry = this.page.getByRole("gridcell").getByRole("listitem").filter({ hasText: title });
    // Dragging comes with a file of its own.
    await expect(entry).toHaveAttribute("draggable", "true");
    await entry.dragTo(this.cell(day));
  }

  /** So many days from today, where the browsers of the tests are. */
  day(days: number): string {
    return new Date(Date.now() + days * 86_400_000).toLocaleDateString("sv-SE", { timeZone: "Asia/Kolkata" });
  }

  async createProject(fields: {
    title: string;
    status?: string;
    startDate?: string;
    dueDate?: string;
    /** E-mails of people of the demo. */
    assign?: string[];
  }): Promise<Saved> {
    const { assign = [], ...given } = fields;
    const assignedTo = await Promise.all(assign.map((email) => this.idOf(email)));
    const basics = { description: "What it is for.", status: "todo", startDate: this.day(0), managers: [] };
    return this.call("projects.create", { ...basics, ...given, assignedTo });
  }

  createTask(projectId: string, fields: { title: string; dueDate?: string }): Promise<Saved> {
    return this.call("tasks.create", { projectId, description: "What to do.", ...fields });
  }

  /** A mutation of the person who is signed in. */
  async call(procedure: string, input: object): Promise<Saved> {
    const answer = await this.page.request.post(`/api/trpc/${procedure}`, { data: { json: input } });
    expect(answer.ok(), `${procedure}: ${await answer.text()}`).toBe(true);
    const body: { result: { data: { json: Saved } } } = await answer.json();
    return body.result.data.json;
  }

  private async idOf(email: string): Promise<string> {
    const answer = await this.page.request.get("/api/trpc/users.team");
    const body: { result: { data: { json: { id: string; email: string | null }[] } } } = await answer.json();
    const person = body.result.data.json.find((one) => one.email === email);
    if (!person) throw new Error(`${email} is not in the team`);
    return person.id;
  }
}
