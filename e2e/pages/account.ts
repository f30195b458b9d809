import { type BrowserContext, expect, type Page } from "@playwright/test";
import { api } from "../api";

export const DEMO_PASSWORD = "sangam-demo";

const HOMES: Record<string, string> = { admin: "/admin", client: "/client", user: "/dashboard" };

/** Signs in without the form, which e2e/sign-in.spec.ts tests, and opens the dashboard of the person's role. */
export async function signIn(page: Page, email: string, password = DEMO_PASSWORD): Promise<void> {
  await openAs(page, { email, password });
}

/** Signs in and opens a page, by default the dashboard of the person's role. */
export async function openAs(
  page: Page,
  { email, password = DEMO_PASSWORD, path }: { email: string; password?: string; path?: string },
): Promise<void> {
  const accountType = await authenticate(page, email, password);
  await page.goto(path ?? HOMES[accountType] ?? "/dashboard");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
}

type Cookies = Parameters<BrowserContext["addCookies"]>[0];

/** The sessions of the demo's people, by e-mail. Checking a password takes a tenth of a second of the processor. */
const sessions = new Map<string, Cookies>();
const madeSessions = new Map<string, () => Promise<Cookies>>();

/** Has `authenticate` make the sessions of that account so, which nobody signs in for. */
export function makeSessionsWith(email: string, make: () => Promise<Cookies>): void {
  madeSessions.set(email, make);
}

/**
 * Signs in and opens nothing; answers with the type of the account. The demo's people keep one session for all tests of a
 * worker, as long as no test ends it; everybody else gets a new one each time, and those of `insertPerson` one that is written
 * past the rules.
 */
export async function authenticate(page: Page, email: string, password = DEMO_PASSWORD): Promise<string> {
  if (password !== DEMO_PASSWORD) return authenticateAnew(page, email, password);
  const cookies = sessions.get(email) ?? (await madeSessions.get(email)?.());
  if (!cookies) return authenticateAnew(page, email, password);
  await page.context().addCookies(cookies);
  const me = await api(page).auth.me.query();
  return me?.email === email ? me.accountType : authenticateAnew(page, email, password);
}

/** Signs in with a session that no other test or browser shares. */
export async function authenticateAnew(page: Page, email: string, password = DEMO_PASSWORD): Promise<string> {
  const { user } = await api(page).auth.signIn.mutate({ email, password, rememberMe: true });
  if (!user) throw new Error(`${email} has a second factor`);
  if (email.endsWith("@sangam.example") && password === DEMO_PASSWORD)
    sessions.set(email, await page.context().cookies());
  return user.accountType;
}

/** Fills and submits the login form. */
export async function submitLogin(page: Page, email: string, password: string): Promise<void> {
  // The address changes before the page: settings, still shown after a logout, has labels that begin with "Email".
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Log In" }).click();
}

export interface NewPerson {
  name: string;
  email: string;
  mobile: string;
  password: string;
}

/** Fills and submits /signup. */
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
