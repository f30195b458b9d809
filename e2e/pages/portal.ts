import { expect, type Locator, type Page } from "@playwright/test";

/** A client's projects and commits, at /client or as an admin sees them. */
export class Portal {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  get projects(): Locator {
    return this.page.getByRole("list", { name: "Your Projects" });
  }

  project(title: string): Locator {
    return this.projects.getByRole("article", { name: title });
  }

  /** The button that shows and hides a project's details. */
  details(title: string): Locator {
    return this.project(title).getByRole("button", { name: /^(Show|Hide) Details/ });
  }

  /** The number of a stat card. */
  stat(label: string): Locator {
    return this.page.getByRole("main").locator("dl > div").filter({ hasText: label }).locator("dd");
  }

  /** The bar above a portal that an admin opened. */
  get bar(): Locator {
    return this.page.getByRole("region", { name: "Client view" });
  }

  /** All text of stat cards, projects and commits, once every section has loaded. */
  async texts(): Promise<string[]> {
    const commits = this.page.getByRole("list", { name: "Repository Activity" });
    await commits.waitFor();
    await expect(this.page.getByRole("main").getByText(/^Loading /)).toHaveCount(0);
    const parts = [this.page.getByRole("main").locator("dl").first(), this.projects, commits];
    const texts = await Promise.all(parts.map((part) => part.innerText()));
    // What the reader has not read yet, whether they follow it, and the field to write in, are the client's alone.
    return texts.map((text) =>
      text
        .replace(/\n\s*(New|Following|Send|Attach files)\s*(?=\n|$)/g, "\n")
        .replace(/\n+/g, "\n")
        .trim(),
    );
  }
}
