import { randomUUID } from "node:crypto";
import { type APIRequestContext, type BrowserContext, expect, type Locator, type Page } from "@playwright/test";
import { DEMO_PASSWORD } from "./account";

/** Settings, in the shell of any of the three dashboards. */
export class Settings {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  section(name: "Profile" | "Password" | "Sessions" | "API keys" | "Notifications" | "Appearance"): Locator {
    return this.page.getByRole("region", { name });
  }

  field(label: string): Locator {
    return this.page.getByLabel(label, { exact: true });
  }

  async open(path = "/dashboard?view=settings"): Promise<void> {
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

export interface Colleague {
  name: string;
  email: string;
  password: string;
}

/** A person of one's own for a test that changes accounts: signed up and approved by the demo organisation's admin. */
export async function hire(admin: BrowserContext, name: string, accountType = "user"): Promise<Colleague> {
  const person = { name, email: `${randomUUID()}@firm.example`, password: "monsoon-24" };
  await call(admin.request, "auth.signUp", {
    ...person,
    mobile: "+91 98200 12345",
    confirmPassword: person.password,
    agreeToTerms: true,
  });
  await call(admin.request, "auth.signIn", {
    email: "asha@sangam.example",
    password: DEMO_PASSWORD,
    rememberMe: false,
  });
  const query = encodeURIComponent(JSON.stringify({ json: { q: person.email } }));
  const found = await admin.request.get(`/api/trpc/users.list?input=${query}`);
  const list: { result: { data: { json: { items: { id: string }[] } } } } = await found.json();
  const [pending] = list.result.data.json.items;
  await call(admin.request, "users.approve", { userId: pending?.id, accountType });
  await call(admin.request, "auth.signOut", undefined);
  return person;
}

async function call(request: APIRequestContext, procedure: string, input: unknown): Promise<void> {
  const answer = await request.post(`/api/trpc/${procedure}`, { data: { json: input } });
  expect(answer.status(), `${procedure}: ${await answer.text()}`).toBe(200);
}
