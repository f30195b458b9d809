import { createHmac } from "node:crypto";
import type { Page } from "@playwright/test";
import { MESSAGES } from "../server/contract/messages";
import type { TokenStatus } from "../server/contract/views";
import { gitHubCommit } from "../server/test/github-server";
import { askAgain, replaceAnswer } from "./api";
import { test, WEBHOOK_SECRET } from "./equipped";
import { expect, expectAccessible, expectAccessibleEverywhere, goInApp } from "./fixtures";
import { authenticate, signIn } from "./pages/account";
import { ProjectActivity, Timeline } from "./pages/activity";
import { addProject, removeProjects } from "./projects";
import { hold } from "./traffic";

const ADMIN = "asha@sangam.example";
const TOKEN = "github_pat_demo_4f8e21aa";

const section = (page: Page) => page.getByRole("region", { name: "Repository token" });
const field = (page: Page, label: string | RegExp) => section(page).getByLabel(label, { exact: true });
const button = (page: Page, name: string) => section(page).getByRole("button", { name, exact: true });

test.beforeEach(async ({ page, github }) => {
  github.user = null;
  github.tokens.add(TOKEN);
  await authenticate(page, ADMIN);
});
test.afterEach(async ({ admin }) => {
  await admin.github.removeToken.mutate();
});
test.afterAll(({ server }) => {
  expect(server.log.filter((line) => line.includes(TOKEN))).toEqual([]);
});

test("a token is set, shown by its last four letters only, replaced and removed; its owners are changed without entering it again", async ({
  page,
  github,
  admin,
}) => {
  const owners = field(page, "Accounts and organisations");
  await test.step("set, and shown by its last four letters only", async () => {
    await open(page);
    await expect(section(page)).toContainText("No token is set");
    const input = field(page, "Token");
    await expect(input).toHaveAttribute("type", "password");
    await expect(input).toHaveAttribute("autocomplete", "off");
    await input.fill(TOKEN);
    await owners.fill("Konkan\nsangam-software");
    await input.press("Enter");
    await expect(page.getByText(MESSAGES.github.tokenSaved)).toBeVisible();
    await expect(button(page, "Change Token")).toBeFocused();
    await expect(section(page)).toContainText(TOKEN.slice(-4));
    await expect(section(page)).toContainText("konkan, sangam-software");
    await expect(section(page)).toContainText("Asha Kulkarni");
    await expect(section(page)).toContainText("Accepted");
    expect(await page.content()).not.toContain(TOKEN);
    // Without the toast.
    await page.reload();
    await expect(button(page, "Change Token")).toBeVisible();
    expect(await page.content()).not.toContain(TOKEN);
    await expectAccessibleEverywhere(page, { within: section(page) });
  });

  await test.step("its owners are changed without entering it again", async () => {
    await button(page, "Change Token").press("Enter");
    await expect(field(page, "New token optional")).toBeFocused();
    await expect(field(page, "New token optional")).toHaveValue("");
    await expect(section(page)).toContainText(`Leave it empty to keep the one ending in ${TOKEN.slice(-4)}.`);
    await expect(owners).toHaveValue("konkan, sangam-software");
    await button(page, "Cancel").click();
    await expect(button(page, "Change Token")).toBeFocused();

    // Unchanged: nothing is sent.
    await button(page, "Change Token").click();
    await button(page, "Save Changes").click();
    await expect(button(page, "Change Token")).toBeFocused();

    const asked = github.requests.length;
    await button(page, "Change Token").click();
    await owners.fill("konkan, sangam-works");
    await button(page, "Save Changes").click();
    await expect(page.getByText(MESSAGES.github.ownersSaved)).toBeVisible();
    await expect(button(page, "Change Token")).toBeFocused();
    await expect(section(page)).toContainText("konkan, sangam-works");
    await expect(section(page)).toContainText(TOKEN.slice(-4));
    expect(github.requests.slice(asked).map(({ headers }) => headers.authorization)).toContainEqual(
      expect.stringContaining(TOKEN),
    );

    // What is typed while they are saved stays, and is saved by the next press.
    const held = hold();
    await page.route("**/api/trpc/github.setToken*", held.handler, { times: 1 });
    await button(page, "Change Token").click();
    await owners.fill("konkan, sangam-works, wadi");
    const sent = page.waitForRequest("**/api/trpc/github.setToken*");
    await button(page, "Save Changes").click();
    await sent;
    await owners.fill("konkan, sangam-works, quay");
    held.release();
    await expect(section(page)).toContainText("konkan, sangam-works, wadi");
    await expect(owners).toHaveValue("konkan, sangam-works, quay");
    await button(page, "Save Changes").click();
    await expect(button(page, "Change Token")).toBeFocused();
    await expect(section(page)).toContainText("konkan, quay, sangam-works");
    await expect(section(page)).not.toContainText("wadi");
  });

  await test.step("replaced, and the answer leaves its author in another field", async () => {
    await button(page, "Change Token").click();
    github.tokens.add(`${TOKEN}_next`);
    await field(page, "New token optional").fill(`${TOKEN}_next`);
    let answer = (): void => undefined;
    const isElsewhere = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route("**/api/trpc/github.setToken*", (route) => isElsewhere.then(() => route.continue()), { times: 1 });
    await button(page, "Save Changes").click();
    await page.getByLabel("Display name").focus();
    answer();
    await expect(button(page, "Change Token")).toBeVisible();
    await expect(section(page)).toContainText("next");
    await expect(page.getByLabel("Display name")).toBeFocused();
  });

  await test.step("removed by another admin while its owners are changed", async () => {
    await button(page, "Change Token").click();
    await owners.fill("konkan, quay");
    await admin.github.removeToken.mutate();
    await button(page, "Save Changes").click();
    // The form now asks for a first token.
    await expect(field(page, "Token")).toBeFocused();
    await expect(section(page)).toContainText(MESSAGES.github.tokenRequired);
    await expect(section(page)).toContainText("No token is set");
    await expect(owners).toHaveValue("konkan, quay");
    await field(page, "Token").fill(TOKEN);
    await button(page, "Save Token").click();
    await expect(section(page)).toContainText("konkan, quay");
  });

  await test.step("the first one is set, and its owners are changed before it is saved", async () => {
    await expect(button(page, "Change Token")).toBeVisible();
    await admin.github.removeToken.mutate();
    await page.reload();
    const held = hold();
    await page.route("**/api/trpc/github.setToken*", held.handler, { times: 1 });
    await field(page, "Token").fill(TOKEN);
    await owners.fill("konkan");
    const sent = page.waitForRequest("**/api/trpc/github.setToken*");
    await button(page, "Save Token").click();
    await sent;
    await owners.fill("konkan, quay");
    held.release();
    await expect(field(page, "New token optional")).toHaveValue("");
    await expect(owners).toHaveValue("konkan, quay");
    await expect(owners).toBeFocused();
    await button(page, "Save Changes").click();
    await expect(button(page, "Change Token")).toBeFocused();
    await expect(section(page)).toContainText("konkan, quay");
  });

  await test.step("removed after a question", async () => {
    await button(page, "Remove Token").click();
    const question = page.getByRole("alertdialog", { name: "Remove Token" });
    await expect(question).toContainText(MESSAGES.github.confirmRemoveToken);
    await expect(question.getByRole("button", { name: "Cancel" })).toBeFocused();
    await expectAccessibleEverywhere(page, { within: question });
    await page.keyboard.press("Escape");
    await expect(button(page, "Remove Token")).toBeFocused();
    await button(page, "Remove Token").click();
    await question.getByRole("button", { name: "Remove", exact: true }).click();
    await expect(page.getByText(MESSAGES.github.tokenRemoved)).toBeVisible();
    await expect(section(page)).toContainText("No token is set");
    await expect(section(page).getByRole("heading")).toBeFocused();
  });
});

test("a token that is refused or unreadable says what to do; a status that cannot be loaded is no missing token", async ({
  page,
  admin,
  consoleGuard,
}) => {
  consoleGuard.allow(/Failed to load resource/);
  await test.step("a status that cannot be loaded", async () => {
    await page.route(/github\.tokenStatus/, (route) => route.abort());
    await page.goto("/admin/settings");
    await expect(section(page).getByRole("alert")).toContainText(MESSAGES.general.unreachable);
    await expect(section(page)).not.toContainText("No token is set");
    await page.unroute(/github\.tokenStatus/);
    await button(page, "Retry").click();
    await expect(section(page)).toContainText("No token is set");
  });
  await admin.github.setToken.mutate({ token: TOKEN, owners: ["konkan"] });
  for (const { lastResult, text } of [
    { lastResult: "refused", text: `${MESSAGES.github.tokenRefused} Please enter another one.` },
    { lastResult: "unreadable", text: MESSAGES.github.tokenUnreadable },
  ] as const) {
    await test.step(lastResult, async () => {
      await page.unrouteAll({ behavior: "wait" });
      await replaceAnswer<TokenStatus>(page, "github.tokenStatus", (status) => ({ ...status, lastResult }));
      await askAgain(page, "github.tokenStatus");
      await expect(section(page).getByRole("alert")).toHaveText(text);
      await expectAccessible(page, section(page));
      await button(page, "Change Token").click();
      await button(page, "Save Changes").click();
      // An unreadable token cannot be kept.
      const isKept = lastResult === "refused";
      await expect(section(page).getByText(MESSAGES.github.tokenRequired)).toHaveCount(isKept ? 0 : 1);
      await expect(button(page, "Change Token")).toHaveCount(isKept ? 1 : 0);
    });
  }
});

test("complaints stand at their fields and nothing typed is lost, whoever refuses", async ({
  page,
  github,
  consoleGuard,
}) => {
  consoleGuard.allow(/status of 503/);
  await open(page);
  await button(page, "Save Token").click();
  await expect(section(page)).toContainText(MESSAGES.github.tokenRequired);
  await expect(section(page)).toContainText(MESSAGES.github.ownersRequired);
  await expect(field(page, "Token")).toBeFocused();
  await expectAccessibleEverywhere(page, { within: section(page) });

  await field(page, "Token").fill("github_pat_unknown");
  await field(page, "Accounts and organisations").fill("konkan, no_name");
  await button(page, "Save Token").click();
  await expect(section(page)).toContainText(`no_name: ${MESSAGES.github.ownerMisshapen}`);
  await expect(field(page, "Accounts and organisations")).toBeFocused();

  await field(page, "Accounts and organisations").fill("konkan");
  await button(page, "Save Token").click();
  await expect(section(page)).toContainText(MESSAGES.github.tokenRefused);
  await expect(field(page, "Token")).toBeFocused();
  await expect(field(page, "Token")).toHaveValue("github_pat_unknown");
  await expect(field(page, "Token")).toHaveAttribute("aria-invalid", "true");

  github.user = { status: 502 };
  await field(page, "Token").fill(TOKEN);
  await button(page, "Save Token").click();
  await expect(section(page).getByRole("alert")).toContainText(MESSAGES.github.tokenUnchecked);
  await expect(field(page, "Token")).toHaveValue(TOKEN);
  await expect(field(page, "Accounts and organisations")).toHaveValue("konkan");

  // Leaving with a typed token asks for confirmation.
  await page.getByRole("link", { name: "Activity" }).first().click();
  const question = page.getByRole("alertdialog", { name: "Discard changes?" });
  await expect(question).toContainText("Your changes to the repository token will be lost.");
  await question.getByRole("button", { name: "Keep editing" }).click();
  await expect(field(page, "Token")).toHaveValue(TOKEN);
  await page.getByRole("link", { name: "Activity" }).first().click();
  await question.getByRole("button", { name: "Discard" }).click();
  await expect(new ProjectActivity(page).heading).toBeVisible();
});

test("a push shows on open screens without a reload, and on the task that it names; a mended link takes its line away, not the focus", async ({
  page,
  openContext,
  github,
  admin,
}) => {
  const first = gitHubCommit({ message: "Read the gauges twice", author: null });
  github.repositories.set("konkan/harbour", { commits: [first] });
  const project = await addProject(admin, "Tide pushes");
  await new ProjectActivity(page).open();
  const clients = await openContext();
  const client = await clients.newPage();
  await signIn(client, "meera@sangam.example");
  const timeline = new Timeline(client);
  await expect(timeline.commit("Read the gauges twice")).toBeVisible();
  const shown = new ProjectActivity(page).commit("Read the gauges twice");
  // GitHub knows no account: the commit's author name is shown.
  await expect(shown).toContainText(`${project.title} · konkan/harbour · Rohan Shah · `);

  const key = (await admin.projects.byId.query({ projectId: project.id })).key;
  const title = `Fixes ${key}-2: print a day sheet, <b>boldly</b> & on one page, with the tides of the next day`;
  const second = gitHubCommit({ message: title, date: new Date().toISOString() });
  github.repositories.set("konkan/harbour", { commits: [second, first] });
  await push(page, second.sha);
  await expect(new ProjectActivity(page).commit(title)).toContainText("rohan-shah");
  const picture = new ProjectActivity(page).commit(title).locator("img");
  await expect(picture).toHaveAttribute("src", "/api/github/avatars/rohan-shah");
  await expect(picture).toHaveJSProperty("naturalWidth", 1);
  await expect(new ProjectActivity(page).commit(title)).toContainText(`Open: ${key}-2 Print a day sheet`);
  await expect(timeline.commit(`${title.slice(0, 70).trimEnd()}...`)).toBeVisible();
  await expect(timeline.list.getByRole("heading").first()).toHaveText(/^Print a day sheet: 1 change/);

  await goInApp(page, `/dashboard?panel=${project.id}`);
  await page.getByRole("button", { name: "Complete Print a day sheet" }).click();
  await expect(page.getByRole("checkbox", { name: "Print a day sheet" })).toBeChecked();
  await expect(timeline.list.getByRole("heading").first()).toHaveText(/^Print a day sheet: 1 change, finished/);
  await removeProjects(admin);

  await test.step("a mended link", async () => {
    github.repositories.set("konkan/mended", { commits: [gitHubCommit({ message: "Found at last", author: null })] });
    const lost = await addProject(admin, "Lost", { githubRepo: "https://github.com/konkan/lost" });
    const other = await addProject(admin, "Lost too", { githubRepo: "https://github.com/konkan/lost-too" });
    await goInApp(page, "/admin/activity");
    const notice = page.getByRole("group").filter({ hasText: "2 repositories could not be read" });
    await notice.getByText("2 repositories could not be read").press("Enter");
    await mend(page, lost.title);
    const rest = page.getByRole("group").filter({ hasText: "1 repository could not be read" });
    await expect(rest.getByRole("button", { name: /^Edit Project/ })).toHaveCount(1);
    await expect(
      rest.locator("summary, button").or(new ProjectActivity(page).heading).and(page.locator(":focus")),
    ).toBeVisible();
    await mend(page, other.title);
    await expect(rest).toHaveCount(0);
    // The nearest row that is left, or the heading: it depends on whether the dialog closes before the line goes.
    await expect(page.getByRole("main").locator(":focus")).toBeVisible();
    await expect(new ProjectActivity(page).commit("Found at last").first()).toBeVisible();
  });
  await removeProjects(admin);

  async function mend(page: Page, title: string): Promise<void> {
    await page.getByRole("button", { name: `Edit Project, ${title}`, exact: true }).press("Enter");
    const form = page.getByRole("dialog", { name: "Edit Project" });
    await form.getByLabel("GitHub link").fill("https://github.com/konkan/mended");
    await page.keyboard.press("Enter");
    await expect(form).toBeHidden();
  }
});

async function open(page: Page): Promise<void> {
  await page.goto("/admin/settings");
  await expect(section(page).getByRole("button").first()).toBeVisible();
}

/** Sends GitHub's webhook call for a push. */
async function push(page: Page, after: string): Promise<void> {
  const body = JSON.stringify({ ref: "refs/heads/main", after, repository: { full_name: "konkan/harbour" } });
  const answer = await page.request.post("/api/github/webhook", {
    data: body,
    headers: {
      "content-type": "application/json",
      "x-github-event": "push",
      "x-hub-signature-256": `sha256=${createHmac("sha256", WEBHOOK_SECRET).update(body).digest("hex")}`,
    },
  });
  expect(answer.ok(), await answer.text()).toBe(true);
}
