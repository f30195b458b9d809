import { expect, type Locator, type Page } from "@playwright/test";

/** Users Management at /admin. */
export class UsersPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async open(tab: "all" | "pending" | "active" | "rejected" | "invited" = "all"): Promise<void> {
    await this.page.goto(`/admin/users${tab === "all" ? "" : `?users=${tab}`}`);
    await expect(this.page.getByRole("heading", { level: 1, name: "Users Management" })).toBeVisible();
  }

  row(name: string): Locator {
    return this.page.getByRole("row", { name: new RegExp(name) });
  }

  /** Opens the "..." menu of a person and chooses an entry; a question stays open. */
  async choose(name: string, entry: string): Promise<void> {
    await this.row(name)
      .getByRole("button", { name: `More actions for ${name}` })
      .click();
    const menu = this.page.getByRole("menu", { name: `Actions for ${name}` });
    await menu
      .getByRole(/^(User|Client|Admin)$/.test(entry) ? "menuitemcheckbox" : "menuitem", { name: entry })
      .click();
  }

  /** Presses Reject in a person's row and confirms it. */
  async reject(name: string): Promise<void> {
    await this.row(name).getByRole("button", { name: "Reject" }).click();
    await this.confirm("Reject");
  }

  /** Answers the question that is open. */
  async confirm(verb: string): Promise<void> {
    const dialog = this.page.getByRole("alertdialog");
    await dialog.getByRole("button", { name: verb, exact: true }).click();
    await expect(dialog).toBeHidden();
  }
}
