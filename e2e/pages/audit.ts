import { expect, type Locator, type Page } from "@playwright/test";

/** Audit at /admin. */
export class AuditPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async open(): Promise<void> {
    await this.page.goto("/admin/audit");
    await expect(this.heading).toBeVisible();
  }

  get heading(): Locator {
    return this.page.getByRole("heading", { level: 1, name: "Audit" });
  }

  get lines(): Locator {
    return this.page.locator("main ol > li");
  }

  line(sentence: string): Locator {
    return this.lines.filter({ hasText: sentence });
  }

  get person(): Locator {
    return this.page.getByRole("button", { name: /^Filter by person/ });
  }

  get kind(): Locator {
    return this.page.getByRole("combobox", { name: "Filter by kind" });
  }

  /** Chooses somebody by typing the name. */
  async choosePerson(name: string): Promise<void> {
    await this.person.click();
    await this.page.getByRole("combobox", { name: "Search people" }).fill(name);
    await this.page.getByRole("option", { name }).click();
  }
}
