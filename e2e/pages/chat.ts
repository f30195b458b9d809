import { expect, type Locator, type Page } from "@playwright/test";

const PLACES = {
  admin: "/admin?section=messages",
  client: "/client?section=messages",
  user: "/dashboard?view=messages",
};

/** The messages of whoever is signed in. */
export class Chat {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async open(as: keyof typeof PLACES): Promise<void> {
    await this.page.goto(PLACES[as]);
    await expect(this.page.getByRole("heading", { level: 1, name: "Messages" })).toBeVisible();
  }

  /** Chooses somebody under "New Message", by the keyboard. */
  async begin(name: string): Promise<void> {
    await this.page.getByRole("button", { name: "New Message" }).click();
    await this.page.getByRole("combobox", { name: "Search people" }).fill(name);
    await expect(this.page.getByRole("option", { name })).toBeVisible();
    await this.page.keyboard.press("Enter");
    await expect(this.field(name)).toBeFocused();
  }

  async send(name: string, text: string): Promise<void> {
    await this.field(name).fill(text);
    await this.page.keyboard.press("Enter");
    await expect(this.field(name)).toHaveValue("");
  }

  field(name: string): Locator {
    return this.page.getByRole("textbox", { name: `Message ${name}` });
  }

  /** A line of the list. */
  line(name: string | RegExp): Locator {
    return this.page.getByRole("navigation", { name: "Conversations" }).getByRole("link", { name });
  }

  /** A message of the open conversation. */
  message(text: string): Locator {
    return this.page
      .getByRole("region", { name: /^Messages with / })
      .getByRole("listitem")
      .filter({ hasText: text });
  }
}
