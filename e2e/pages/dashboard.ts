import { expect, type Locator, type Page } from "@playwright/test";

const HEADINGS = { tasks: "Tasks", overview: "Dashboard", team: "Team", calendar: "Calendar" };

/** The pages of /dashboard beside the board. */
export class DashboardPages {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async open(name: keyof typeof HEADINGS, search = ""): Promise<void> {
    await this.page.goto(`/dashboard/${name}${search}`);
    await expect(this.page.getByRole("heading", { level: 1, name: HEADINGS[name], exact: true })).toBeVisible();
  }

  /** A group of tasks on the Tasks page. */
  group(name: string): Locator {
    return this.page.getByRole("main").getByRole("region", { name: new RegExp(`^${name}`) });
  }

  /** A day of the month. */
  cell(day: string): Locator {
    return this.page.locator(`[role="gridcell"][data-day="${day}"]`);
  }

  /** Drags the entry of that name to a day. */
  async drag(title: string, day: string): Promise<void> {
    const entry = this.page.getByRole("gridcell").getByRole("listitem").filter({ hasText: title });
    // The code for dragging is loaded later.
    await expect(entry).toHaveAttribute("draggable", "true");
    await entry.dragTo(this.cell(day));
  }
}
