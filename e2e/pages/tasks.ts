import { expect, type Locator, type Page } from "@playwright/test";

/** The list of a project's tasks in the panel. */
export class TasksPanel {
  readonly page: Page;
  readonly panel: Locator;

  constructor(page: Page, title: string) {
    this.page = page;
    this.panel = page.getByRole("dialog", { name: title });
  }

  async open(projectId: string): Promise<void> {
    await this.page.goto(`/dashboard?panel=${projectId}`);
    await expect(this.panel.getByRole("list", { name: "Tasks" })).toBeVisible();
  }

  row(title: string): Locator {
    return this.panel
      .getByRole("listitem")
      .filter({ has: this.page.getByRole("checkbox", { name: title, exact: true }) });
  }

  form(title: string): Locator {
    return this.panel.getByRole("form", { name: `Edit task: ${title}` });
  }

  edit(title: string): Promise<void> {
    return this.button("Edit", title).click();
  }

  button(verb: "Edit" | "Delete" | "Move", title: string): Locator {
    return this.panel.getByRole("button", { name: `${verb} task: ${title}`, exact: true });
  }

  /** The tasks in their order on the screen. */
  async expectOrder(titles: string[]): Promise<void> {
    const labels = this.panel.getByRole("list", { name: "Tasks" }).locator("label:has(input[type=checkbox])");
    await expect(labels).toHaveText(titles);
  }
}
