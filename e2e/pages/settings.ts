import { expect, type Locator, type Page } from "@playwright/test";

/** Settings, in the shell of any of the three dashboards. */
export class Settings {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  section(
    name: "Profile" | "Password" | "Sessions" | "API keys" | "Two-factor sign-in" | "Notifications" | "Appearance",
  ): Locator {
    // Toasts stand in "Notifications alt+T".
    return this.page.getByRole("region", { name, exact: true });
  }

  field(label: string): Locator {
    return this.page.getByLabel(label, { exact: true });
  }

  async open(path = "/dashboard/settings"): Promise<void> {
    await this.page.goto(path);
    await expect(this.section("Sessions").getByText("This browser")).toBeVisible();
  }

  saveProfile(): Promise<void> {
    return this.section("Profile").getByRole("button", { name: "Save Changes" }).click();
  }

  async changePassword({ current, next, confirm = next }: { current: string; next: string; confirm?: string }) {
    await this.field("Current password").fill(current);
    await this.field("New password").fill(next);
    await this.field("Confirm password").fill(confirm);
    await this.section("Password").getByRole("button", { name: "Change Password" }).click();
  }
}
