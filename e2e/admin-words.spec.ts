import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { MESSAGES } from "../server/contract/messages";
import { expect, test } from "./fixtures";
import { authenticate, DEMO_PASSWORD } from "./pages/account";
import { AllProjects } from "./pages/admin";
import { UsersPage } from "./pages/users";

const ADMIN = "asha@sangam.example";

test("Users Management has the specification's subtabs, columns, choices and sentences", async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allow(/Failed to load resource/);
  const name = `Wren ${randomUUID().slice(0, 8)}`;
  await signUp(page, name);
  await authenticate(page, ADMIN);
  const users = new UsersPage(page);
  await users.open();
  const heads = page.getByRole("columnheader");
  await expect(heads).toHaveText(["Name", "Email", "Account Type", "Account Status", "Created At"]);
  for (const words of ["All Users", "Pending Approval", "Active Users", "Rejected/Inactive"])
    await expect(page.getByRole("tab", { name: new RegExp(`^${words}`) })).toBeVisible();

  await users.open("pending");
  await expect(heads).toHaveText(["Name", "Email", "Account Type", "Account Status", "Created At", "Actions"]);
  const type = page.getByLabel(`Account type for ${name}`);
  await expect(type.getByRole("option")).toHaveText(["User", "Client", "Admin"]);
  for (const [procedure, verb, sentence] of [
    ["users.approve", "Approve", MESSAGES.users.approveFailed],
    ["users.reject", "Reject", MESSAGES.users.rejectFailed],
  ] as const) {
    await page.route(`**/api/trpc/${procedure}*`, (route) => route.abort());
    await users.row(name).getByRole("button", { name: verb }).click();
    await expect(page.getByText(sentence)).toBeVisible();
    await page.unroute(`**/api/trpc/${procedure}*`);
  }
  await users.row(name).getByRole("button", { name: "Reject" }).click();
  await expect(page.getByText(MESSAGES.users.rejected)).toBeVisible();
  await expect(users.row(name)).toHaveCount(0);
});

test("a project without people or tasks says so, and one of an erased client names none", async ({ page }) => {
  await signUp(page, "Ines Ferry");
  await authenticate(page, ADMIN);
  const pending = await ask(page, "users.list", { status: "pending", q: "Ines Ferry" });
  const clientId = idIn(pending);
  await tell(page, "users.approve", { userId: clientId, accountType: "client" });
  const title = `Empty quay ${randomUUID().slice(0, 8)}`;
  const made = await tell(page, "projects.create", {
    title,
    description: "Nobody and nothing.",
    status: "todo",
    startDate: "2026-11-20",
    clientId,
    assignedTo: [],
    managers: [],
  });
  const projectId = idIn(made);
  await tell(page, "projects.update", { projectId, version: 1, patch: { assignedTo: [] } });
  await tell(page, "users.erasePerson", { userId: clientId });

  const all = new AllProjects(page);
  await all.open(`?open=${projectId}`);
  for (const words of [
    MESSAGES.projects.noAssigned,
    MESSAGES.projects.noManagers,
    MESSAGES.projects.noTasks,
    MESSAGES.projects.unknownClient,
  ])
    await expect(all.row(title).getByText(words, { exact: true }).first()).toBeVisible();
  await tell(page, "projects.delete", { projectId });
});

async function signUp(page: Page, name: string): Promise<void> {
  await tell(page, "auth.signUp", {
    name,
    email: `${randomUUID()}@firm.example`,
    mobile: "+91 98200 12345",
    password: DEMO_PASSWORD,
    confirmPassword: DEMO_PASSWORD,
    agreeToTerms: true,
  });
}

async function tell(page: Page, procedure: string, json: object): Promise<string> {
  const answer = await page.request.post(`/api/trpc/${procedure}`, { data: { json } });
  const text = await answer.text();
  expect(answer.ok(), `${procedure}: ${text}`).toBe(true);
  return text;
}

async function ask(page: Page, procedure: string, json: object): Promise<string> {
  return (
    await page.request.get(`/api/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify({ json }))}`)
  ).text();
}

function idIn(answer: string): string {
  const id = /"id":"([0-9a-f-]{36})"/.exec(answer)?.[1];
  expect(id, answer).toBeDefined();
  return id ?? "";
}
