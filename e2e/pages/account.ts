import { expect, type Page } from "@playwright/test";

export const DEMO_PASSWORD = "sangam-demo";

const HOMES: Record<string, string> = { admin: "/admin", client: "/client", user: "/dashboard" };

/**
 * Signs in past the form, which e2e/doors.spec.ts tests, and opens the dashboard of the person's role.
 */
export async function signIn(page: Page, email: string, password = DEMO_PASSWORD): Promise<void> {
  await openAs(page, { email, password });
}

/** The same, at a page of one's own choice. */
export async function openAs(
  page: Page,
  { email, password = DEMO_PASSWORD, path }: { email: string; password?: string; path?: string },
): Promise<void> {
  const accountType = await authenticate(page, email, password);
  await page.goto(path ?? HOMES[accountType] ?? "/dashboard");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
}

/**
 * Signs in and opens nothing, for who calls procedures or goes to a page of their own choice next: loading the app is most
 * of a test's time. Answers with the type of the account.
 */
export async function authenticate(page: Page, email: string, password = DEMO_PASSWORD): Promise<string> {
  const answer = await page.request.post("/api/trpc/auth.signIn", {
    data: { json: { email, password, rememberMe: true } },
  });
  expect(answer.ok(), `${email} may sign in`).toBe(true);
  return /"accountType":"(\w+)"/.exec(await answer.text())?.[1] ?? "user";
}

/** Fills and sends the form that is on the screen. */
export async function submitLogin(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Log In" }).click();
}

export interface NewPerson {
  name: string;
  email: string;
  mobile: string;
  password: string;
}

/** Fills /signup and sends it. */
export async function signUp(page: Page, person: NewPerson): Promise<void> {
  await page.goto("/signup");
  await page.getByLabel("Full name").fill(person.name);
  await page.getByLabel("Email").fill(person.email);
  await page.getByLabel("Phone number").fill(person.mobile);
  await page.getByLabel("Password", { exact: true }).fill(person.password);
  await page.getByLabel("Confirm password").fill(person.password);
  await page.getByLabel(/I agree to the/).check();
  await page.getByRole("button", { name: "Create Account" }).click();
}
