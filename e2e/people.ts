import { expect, type Page } from "@playwright/test";
import { DEMO_PASSWORD } from "./pages/account";

interface NewAccount {
  name: string;
  email: string;
  /** What an admin makes of them. */
  as: "user" | "client" | "admin" | "rejected";
}

/**
 * Makes an account with the demo's password and decides about it through the admin who is signed in on `admin`. For tests
 * that change accounts: those of the demo organisation are needed by every other test of the same server.
 */
export async function addPerson(admin: Page, { name, email, as }: NewAccount): Promise<void> {
  const passwords = { password: DEMO_PASSWORD, confirmPassword: DEMO_PASSWORD };
  await call(admin, "auth.signUp", { name, email, mobile: "+91 98200 12345", ...passwords, agreeToTerms: true });
  const input = encodeURIComponent(JSON.stringify({ json: { status: "pending", q: email } }));
  const found = await (await admin.request.get(`/api/trpc/users.list?input=${input}`)).text();
  const userId = /"id":"([0-9a-f-]{36})"/.exec(found)?.[1];
  if (as === "rejected") await call(admin, "users.reject", { userId });
  else await call(admin, "users.approve", { userId, accountType: as });
}

async function call(page: Page, procedure: string, input: object): Promise<void> {
  const answer = await page.request.post(`/api/trpc/${procedure}`, { data: { json: input } });
  expect(answer.ok(), `${procedure}: ${await answer.text()}`).toBe(true);
}
