import { readFileSync } from "node:fs";
import type { Download, Page } from "@playwright/test";
import { MESSAGES } from "../server/contract/messages";
import { expect, test } from "./fixtures";
import { openAs, signIn } from "./pages/account";
import { addProject, removeProjects } from "./projects";

// What the files hold, and whom they are refused, is tested in server/exports/export.test.ts.

const NAME = /^sangam-projects-\d{4}-\d\d-\d\d\.(csv|json)$/;

test("admins take out everything from All Projects, users their own from the board; what is refused or breaks off is said", async ({
  page,
  consoleGuard,
  admin,
}) => {
  consoleGuard.allow(/Failed to load resource/);
  await signIn(page, "asha@sangam.example");
  const { title } = await addProject(admin, "Taken out");
  const csv = await contentOf(await take(page, "CSV"));
  expect(csv.startsWith("\uFEFFProject key,Project,")).toBe(true);
  expect(csv).toContain(`,${title},`);
  expect(csv).toContain("Seed catalogue");
  const json: { projects: { title: string; tasks: object[] }[] } = JSON.parse(
    await contentOf(await take(page, "JSON")),
  );
  expect(json.projects.find((project) => project.title === title)?.tasks).toHaveLength(2);

  await test.step("an export that is refused or breaks off says so, and the page stays", async () => {
    const failed = page.getByRole("listitem").filter({ hasText: MESSAGES.projects.exportFailed });
    const answers = [
      [{ status: 429, json: { error: { json: { message: MESSAGES.general.tooMany } } } }, MESSAGES.general.tooMany],
      [{ status: 502, body: "<h1>Bad gateway</h1>" }, MESSAGES.general.internal],
    ] as const;
    for (const [answer, text] of answers) {
      await page.route("**/api/export/**", (route) => route.fulfill({ ...answer }), { times: 1 });
      await choose(page, "CSV");
      await expect(failed.filter({ hasText: text })).toBeVisible();
    }
    await page.route("**/api/export/**", (route) => route.abort(), { times: 1 });
    await choose(page, "JSON");
    await expect(failed.filter({ hasText: MESSAGES.general.unreachable })).toBeVisible();
    await expect(page.getByRole("heading", { level: 1, name: "All Projects" })).toBeVisible();

    // The session ended elsewhere.
    await page.context().clearCookies();
    await choose(page, "CSV");
    await expect(page).toHaveURL(/\/login\?/);
  });

  await openAs(page, { email: "rohan@sangam.example" });
  const own = await contentOf(await take(page, "CSV"));
  expect(own).toContain(title);
  expect(own).not.toContain("Library ledger migration");
  await page.setViewportSize({ width: 360, height: 780 });
  await page.getByRole("button", { name: "Export" }).click();
  await expect(page.getByRole("menuitem")).toHaveText([/^CSV/, /^JSON/]);

  await openAs(page, { email: "meera@sangam.example", path: "/dashboard" });
  await expect(page.getByRole("heading", { level: 1, name: "Projects Board" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Export" })).toHaveCount(0);
  await removeProjects(admin);
});

async function choose(page: Page, format: "CSV" | "JSON"): Promise<void> {
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByRole("menuitem", { name: format }).click();
}

async function take(page: Page, format: "CSV" | "JSON"): Promise<Download> {
  const download = page.waitForEvent("download");
  await choose(page, format);
  const file = await download;
  expect(file.suggestedFilename()).toMatch(NAME);
  return file;
}

async function contentOf(file: Download): Promise<string> {
  return readFileSync(await file.path(), "utf8");
}
