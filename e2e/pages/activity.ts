import { expect, type Locator, type Page } from "@playwright/test";
import type { CommitFeed } from "../../server/contract/views";
import { replaceAnswer } from "../api";

/** "Project Activity" at /admin. */
export class ProjectActivity {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async open(): Promise<void> {
    await this.page.goto("/admin/activity");
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
    return this.list
      .getByRole("listitem")
      .filter({ has: this.page.getByText(title, { exact: true }) })
      .last();
  }
}

export const EMPTY_FEED: CommitFeed = {
  items: [],
  counts: [],
  groups: [],
  hiddenProjects: 0,
  problems: [],
  skipped: [],
  repositories: 1,
  refreshing: 0,
  refreshedAt: null,
  tokenConfigured: true,
};

/** Changes what `github.commits` answers. */
export function answerCommits(page: Page, change: (feed: CommitFeed) => CommitFeed): Promise<void> {
  return replaceAnswer(page, "github.commits", change);
}

export const COMMITS = /github\.commits/;
