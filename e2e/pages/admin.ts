import { expect, type Locator, type Page } from "@playwright/test";

/** "All Projects" at /admin. */
export class AllProjects {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async open(search = ""): Promise<void> {
    await this.page.goto(`/admin${search}`);
    await expect(this.page.getByRole("heading", { level: 1, name: "All Projects" })).toBeVisible();
  }

  get list(): Locator {
    return this.page.getByRole("list", { name: "All Projects" });
  }

  get titles(): Locator {
    return this.list.getByRole("heading", { level: 2 });
  }

  row(title: string): Locator {
    return this.list.getByRole("article", { name: title });
  }

  /** The button that shows and hides a row's details. */
  header(title: string): Locator {
    return this.row(title).getByRole("button", { name: title, exact: true });
  }

  deleteButton(title: string): Locator {
    return this.row(title).getByRole("button", { name: `Delete project: ${title}` });
  }

  /** Presses the delete button and leaves the question open. */
  async askToDelete(title: string): Promise<Locator> {
    await this.deleteButton(title).click();
    const question = this.page.getByRole("alertdialog", { name: "Delete project" });
    await expect(question).toBeVisible();
    return question;
  }
}
