import { expect, type Locator, type Page } from "@playwright/test";
import type { Api } from "../api";

/** Inquiries at /admin. */
export class InquiriesPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async open(tab: "all" | "new" | "answered" | "closed" = "all"): Promise<void> {
    await this.page.goto(`/admin/inquiries${tab === "all" ? "" : `?inquiries=${tab}`}`);
    await expect(this.heading).toBeVisible();
  }

  get heading(): Locator {
    return this.page.getByRole("heading", { level: 1, name: "Inquiries" });
  }

  get menuEntry(): Locator {
    return this.page.getByRole("navigation").getByRole("link", { name: /^Inquiries/ });
  }

  tab(name: "All" | "New" | "Answered" | "Closed"): Locator {
    return this.page.getByRole("tab", { name: new RegExp(`^${name}`) });
  }

  card(name: string): Locator {
    return this.page.getByRole("article", { name, exact: true });
  }

  button(name: string, label: "Mark answered" | "Close" | "Reopen"): Locator {
    return this.card(name).getByRole("button", { name: `${label}, ${name}` });
  }
}

/** Sends what a visitor would, without the form. */
export async function submitInquiry(caller: Api, given: { name: string; message?: string }): Promise<void> {
  await caller.inquiries.submit.mutate({
    kind: "contact",
    email: "visitor@firm.example",
    subject: "project",
    message: "We need a portal.",
    ...given,
  });
}
