import { expect, type Locator, type Page, type Route } from "@playwright/test";
import type { CommitFeed } from "../../server/contract/views";

/** "Project Activity" at /admin. */
export class ProjectActivity {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async open(): Promise<void> {
    await this.page.goto("/admin?section=activity");
    await expect(this.heading).toBeVisible();
  }

  get heading(): Locator {
    return this.page.getByRole("heading", { level: 1, name: "Project Activity" });
  }

  get refresh(): Locator {
    return this.page.getByRole("button", { name: "Refresh Activity" });
  }

  commit(title: string): Locator {
    return this.page.getByRole("listitem").filter({ has: this.page.getByText(title, { exact: true }) });
  }
}

/** "Repository Activity" at /client. */
export class Timeline {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  get list(): Locator {
    return this.page.getByRole("list", { name: "Repository Activity" });
  }

  commit(title: string): Locator {
    return this.list.getByRole("listitem").filter({ has: this.page.getByText(title, { exact: true }) });
  }
}

export const EMPTY_FEED: CommitFeed = {
  items: [],
  problems: [],
  skipped: [],
  repositories: 1,
  refreshing: 0,
  refreshedAt: null,
  tokenConfigured: true,
};

/** Answers `github.commits` in the server's place; other calls of the same request go through. */
export async function answerCommits(page: Page, changed: (feed: CommitFeed) => CommitFeed): Promise<void> {
  await page.route(COMMITS, async (route: Route) => {
    const calls = new URL(route.request().url()).pathname.split("/").at(-1)?.split(",") ?? [];
    const response = await route.fetch();
    const answers: { result: { data: { json: CommitFeed } } }[] = await response.json();
    const json = answers.map((answer, at) =>
      calls[at] === "github.commits" ? { result: { data: { json: changed(answer.result.data.json) } } } : answer,
    );
    await route.fulfill({ response, json });
  });
}

export const COMMITS = /github\.commits/;
