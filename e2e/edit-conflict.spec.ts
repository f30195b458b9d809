import type { Locator, Page } from "@playwright/test";
import { MESSAGES } from "../server/contract/messages";
import type { Api } from "./api";
import { expect, expectAccessible, goInApp, test } from "./fixtures";
import { authenticate } from "./pages/account";
import { TasksPanel } from "./pages/tasks";
import { addOwnProject } from "./projects";

const yours = (text: string) => new RegExp(`^Yours: ${text}$`);
const theirs = (text: string) => new RegExp(`^Theirs: ${text}$`);

test("an edit by somebody else is told at once, merged on demand, and chosen field by field; a stale save is refused, and shows both versions, also after a reload", async ({
  page,
  openContext,
  admin,
}) => {
  const { title: edited, projectId: editedId } = await begin(page);
  await page.goto("/dashboard/inbox");
  const otherPage = await (await openContext()).newPage();
  await authenticate(otherPage, "asha@sangam.example");
  await otherPage.goto("/admin/inbox");

  await test.step("a form that is open says what has changed, and takes it over when one wants", async () => {
    const mine = await openEdit(page, editedId);
    await mine.getByLabel("Title").fill(`${edited} west`);
    await mine.getByLabel("Description").fill("My description");
    const hers = await openEdit(otherPage, editedId);
    await hers.getByLabel("Title").fill(`${edited} east`);
    await hers.getByLabel("Description").fill("Her description");
    await hers.getByLabel("Status").selectOption({ label: "On Hold" });
    await hers.getByRole("combobox", { name: "Managers" }).fill("Mitali");
    await otherPage.getByRole("option", { name: /Mitali/ }).click();

    await mine.getByLabel("Live link").fill("https://tide.example");
    await hers.getByRole("button", { name: "Save Changes" }).click();
    await expect(hers).toBeHidden();

    const notice = MESSAGES.general.changedMeanwhile(edited);
    await expect(mine.getByText(notice)).toBeVisible();
    await expect(page.getByRole("status").filter({ hasText: notice })).toBeAttached();
    await expect(mine).toContainText("Changed: Title, Description, Status, Managers.");
    await expect(mine.getByLabel("Live link")).toBeFocused();
    await expect(mine.getByLabel("Title")).toHaveValue(`${edited} west`);
    await expect(mine.getByLabel("Status")).toHaveValue("inProgress");

    await mine.getByRole("button", { name: "See both versions" }).click();
    await expect(mine.getByLabel("Status")).toHaveValue("on-hold");
    await expect(mine.getByText("Status: On Hold")).toBeVisible();
    await expect(mine.getByText("Managers: Mitali Deshpande")).toBeVisible();
    const choice = mine.getByRole("group", { name: "Title" });
    await expect(choice.getByRole("radio", { name: yours(`${edited} west`) })).toBeChecked();
    const isChosenAtOnce = await choice
      .getByRole("radio", { name: theirs(`${edited} east`) })
      .evaluate(async (radio) => {
        radio.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
        if (radio instanceof HTMLInputElement) radio.click();
        await Promise.resolve();
        return radio instanceof HTMLInputElement && radio.checked;
      });
    expect(isChosenAtOnce, "chosen within the click").toBe(true);
    await expect(mine.getByLabel("Title", { exact: true }).and(page.getByRole("textbox"))).toHaveValue(
      `${edited} east`,
    );
    await expect(mine.getByRole("group", { name: "Description" }).getByRole("radio")).toHaveCount(2);
    await expectAccessible(page, mine);
    await mine.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByText(MESSAGES.projects.updated)).toBeVisible();
    await expect(mine).toBeHidden();
    const details = await admin.projects.byId.query({ projectId: editedId });
    expect(details).toMatchObject({
      title: `${edited} east`,
      description: "My description",
      status: "on-hold",
      liveLink: "https://tide.example",
    });
  });

  const { title, projectId } = await begin(page);
  await test.step("a stale save is refused, shows both versions, and can be saved over or given up", async () => {
    await test.step("mine over theirs", async () => {
      const mine = await openEdit(page, projectId);
      await mine.getByLabel("Description").fill("Mine");
      await change(admin, projectId, { description: "Theirs", projectType: "Survey" });
      await expect(mine.getByText(MESSAGES.general.changedMeanwhile(title))).toBeVisible();
      const answer = page.waitForResponse(/projects\.update/);
      await mine.getByRole("button", { name: "Save Changes" }).click();
      expect((await answer).status()).toBe(409);
      await expect(mine.getByRole("radio", { name: theirs("Theirs") })).toBeVisible();
      await mine.getByRole("radio", { name: theirs("Theirs") }).check();
      await mine.getByRole("button", { name: "Save mine over it" }).click();
      await expect(mine).toBeHidden();
      expect(await admin.projects.byId.query({ projectId })).toMatchObject({
        description: "Mine",
        projectType: "Survey",
      });
    });

    await test.step("their version in place of mine", async () => {
      const mine = await openEdit(page, projectId);
      await mine.getByLabel("Description").fill("Mine again");
      await change(admin, projectId, { description: "Theirs again" });
      await mine.getByRole("button", { name: "Save Changes" }).click();
      await mine.getByRole("button", { name: "Load their version" }).click();
      await expect(mine.getByLabel("Description")).toHaveValue("Theirs again");
      await expect(mine.getByLabel("Title")).toBeFocused();
      await expect(mine.getByRole("radio")).toHaveCount(0);
      await mine.getByRole("button", { name: "Cancel" }).click();
      await expect(mine).toBeHidden();
    });
  });

  await test.step("an edit that comes back after a reload still knows what it stood on; discarded it does not come back", async () => {
    const mine = await openEdit(page, projectId);
    await mine.getByLabel("Description").fill("Mine");
    await change(admin, projectId, { description: "Theirs" });
    await expect(mine.getByText(MESSAGES.general.changedMeanwhile(title))).toBeVisible();
    page.once("dialog", (dialog) => dialog.accept());
    await page.reload();
    await expect(mine.getByLabel("Description")).toHaveValue("Mine");
    await mine.getByRole("button", { name: "See both versions" }).click();
    await expect(mine.getByRole("radio", { name: theirs("Theirs") })).toBeVisible();
    await mine.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Discard" }).click();
    await expect(mine).toBeHidden();
    await openEdit(page, projectId);
    await expect(mine.getByLabel("Description").and(page.getByRole("textbox"))).toHaveValue("Theirs");
    await mine.getByRole("button", { name: "Cancel" }).click();
    await expect(mine).toBeHidden();
  });

  await test.step("two edits of one task: told, chosen, saved over, and a tick by somebody else is taken over", async () => {
    const tasks = await openPanel(page, { title, projectId });
    const other = await openPanel(otherPage, { title, projectId });

    await tasks.edit("Chart");
    let form = tasks.form("Chart");
    await form.getByLabel("Title").fill("Chart west");
    await edit(other, "Chart", "Chart east");
    form = tasks.form("Chart east");
    await expect(form.getByText(MESSAGES.general.changedMeanwhile("Chart"))).toBeVisible();
    await expect(form.getByLabel("Title")).toBeFocused();
    await expect(form.getByLabel("Title")).toHaveValue("Chart west");

    await test.step("a stale save shows both versions", async () => {
      const answer = page.waitForResponse(/tasks\.update/);
      await form.getByRole("button", { name: "Save" }).click();
      expect((await answer).status()).toBe(409);
      await expect(form.getByRole("radio", { name: yours("Chart west") })).toBeChecked();
      await expectAccessible(page, form);
    });

    await test.step("what only the other one changed is taken over, also while choosing", async () => {
      await other.panel.getByRole("checkbox", { name: "Chart east" }).check();
      await form.getByRole("button", { name: "See both versions" }).click();
      await expect(form.getByText("Status: Completed")).toBeVisible();
      await form.getByRole("button", { name: "Save mine over it" }).click();
      for (const list of [tasks, other]) {
        await expect(list.panel.getByRole("checkbox", { name: "Chart west" })).toBeChecked();
      }
    });

    await test.step("their version in place of mine", async () => {
      await tasks.edit("Soundings");
      await tasks.form("Soundings").getByLabel("Title").fill("Soundings west");
      await edit(other, "Soundings", "Soundings east");
      form = tasks.form("Soundings east");
      await form.getByRole("button", { name: "See both versions" }).click();
      await form.getByRole("button", { name: "Load their version" }).click();
      await expect(form.getByLabel("Title")).toHaveValue("Soundings east");
      await expect(form.getByLabel("Title")).toBeFocused();
      await form.getByLabel("Title").press("Escape");
      await expect(tasks.row("Soundings east")).toBeVisible();
    });

    await test.step("moving a task is no edit of it", async () => {
      await tasks.edit("Printing");
      await tasks.form("Printing").getByLabel("Title").fill("Printing west");
      await other.button("Edit", "Printing").press("Alt+ArrowUp");
      await tasks.form("Printing").getByLabel("Title").press("Enter");
      await expect(tasks.row("Printing west")).toBeVisible();
    });
  });
});

const TASKS = ["Soundings", "Chart", "Printing"];

async function begin(page: Page) {
  await authenticate(page, "rohan@sangam.example");
  const title = `Tide gauge ${Math.random().toString(36).slice(2, 8)}`;
  return { title, projectId: await addOwnProject(page, title, TASKS) };
}

async function openEdit(page: Page, projectId: string): Promise<Locator> {
  await goInApp(page, `${new URL(page.url()).pathname}?modal=edit&project=${projectId}`);
  const dialog = page.getByRole("dialog", { name: "Edit Project" });
  await expect(dialog.getByLabel("Title")).toBeFocused();
  return dialog;
}

async function openPanel(page: Page, { title, projectId }: { title: string; projectId: string }): Promise<TasksPanel> {
  await goInApp(page, `${new URL(page.url()).pathname}?panel=${projectId}`);
  const tasks = new TasksPanel(page, title);
  await expect(tasks.panel.getByRole("list", { name: "Tasks" })).toBeVisible();
  return tasks;
}

async function edit(tasks: TasksPanel, title: string, next: string): Promise<void> {
  await tasks.edit(title);
  const form = tasks.form(title);
  await form.getByLabel("Title").fill(next);
  await form.getByRole("button", { name: "Save" }).click();
  await expect(tasks.row(next)).toBeVisible();
}

/** As the admin, without the form. */
async function change(admin: Api, projectId: string, patch: { description: string; projectType?: string }) {
  const { version } = await admin.projects.byId.query({ projectId });
  await admin.projects.update.mutate({ projectId, version, patch });
}
