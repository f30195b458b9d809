import { expect, type Locator, type Page } from "@playwright/test";

/** The Projects Board at /dashboard with its panel and dialogs. */
export class Board {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  card(title: string): Locator {
    return this.page.getByRole("article").filter({ has: this.page.getByRole("heading", { name: title }) });
  }

  tab(name: string): Locator {
    return this.page.getByRole("tab", { name: new RegExp(`^${name}`) });
  }

  /** Creates a project through the dialog, with people chosen by name. */
  async create(project: {
    title: string;
    description: string;
    assign?: string[];
    client?: string;
    /** Further people of the client. */
    clientPeople?: string[];
  }): Promise<void> {
    await this.page
      .getByRole("button", { name: "+ New Project" })
      .or(this.page.getByRole("link", { name: "+ New Project" }))
      .first()
      .click();
    const dialog = this.page.getByRole("dialog", { name: "Create New Project" });
    await dialog.getByLabel("Title").fill(project.title);
    await dialog.getByLabel("Description").fill(project.description);
    if (project.client) await dialog.getByLabel("Client").selectOption({ label: project.client });
    for (const [field, names = []] of [
      ["Client people", project.clientPeople],
      ["Assigned users", project.assign],
    ] as const) {
      for (const name of names) {
        await dialog.getByRole("combobox", { name: field }).fill(name);
        await this.page.getByRole("option", { name: new RegExp(name) }).click();
      }
    }
    await dialog.getByRole("button", { name: "Create Project" }).click();
    await expect(dialog).toBeHidden();
  }

  /** Opens the tasks panel of a card. */
  async openPanel(title: string): Promise<Locator> {
    await this.card(title).getByRole("link", { name: title }).first().click();
    const panel = this.page.getByRole("dialog", { name: title });
    await expect(panel).toBeVisible();
    return panel;
  }

  async addTask(panel: Locator, task: { title: string; description: string }): Promise<void> {
    await panel.getByRole("button", { name: "+ Add Task" }).click();
    // The focus moves a moment later, and would take what is typed with it.
    await expect(panel.getByLabel("Title")).toBeFocused();
    await panel.getByLabel("Title").fill(task.title);
    await panel.getByLabel("Description").fill(task.description);
    await panel.getByRole("button", { name: "Add", exact: true }).click();
    await expect(panel.getByRole("checkbox", { name: task.title })).toBeVisible();
  }
}

/** The count in the selected tab's name equals the number of cards. */
export async function expectCountsToAgree(board: Board, tab: string): Promise<void> {
  await expect
    .poll(async () => {
      const cards = await board.page.getByRole("article").count();
      return (await board.tab(tab).getAttribute("aria-label")) === `${tab}, ${cards} project${cards === 1 ? "" : "s"}`;
    })
    .toBe(true);
}
