import { expect, expectAccessible, test } from "./fixtures";
import { authenticate } from "./pages/account";
import { hold } from "./traffic";

test("a manager chooses what the client sees of commits, and the client's page follows: titles, counts, nothing", async ({
  page,
  admin,
  openContext,
}) => {
  const { items } = await admin.projects.list.query({ scope: "all" });
  const idOf = (key: string) => items.find((project) => project.key === key)?.id ?? "";
  const projectId = idOf("SC");
  const setView = async (id: string, mode: "titles" | "hidden") => {
    const { version } = await admin.projects.byId.query({ projectId: id });
    await admin.projects.update.mutate({
      projectId: id,
      version,
      patch: { commitView: { mode, maskedWords: [] } },
    });
  };
  await setView(idOf("BPR"), "hidden");
  const client = await (await openContext()).newPage();
  await authenticate(client, "leela@sangam.example");
  await client.goto(`/client?open=${projectId}`);
  const activity = client.getByRole("list", { name: "Repository Activity" });
  await expect(activity.getByRole("heading", { name: "Photo sizes: 1 change, finished" })).toBeVisible();
  const commit = activity.getByRole("listitem").filter({ hasText: "Agent handbook: how to search" }).last();
  await commit.getByRole("button", { name: /^Show full message/ }).click();
  await expect(commit.locator("code")).toHaveText(["sangam-demo/seeds", /^[0-9a-f]{40}$/]);
  await expect(activity).not.toContainText("Bus pass renewals");
  await expectAccessible(client, activity);

  await authenticate(page, "mitali@sangam.example");
  await page.goto(`/dashboard/inbox?modal=view&project=${projectId}`);
  const section = page.getByRole("region", { name: "Commits for the client", exact: true });
  await expect(section).toContainText("The client sees their titles and texts.");
  const open = section.getByRole("button", { name: "Change what the client sees" });
  await open.click();
  const form = section.getByRole("form", { name: "Commits for the client" });
  const choice = form.getByLabel("The client sees of commits");
  await expect(choice).toBeFocused();
  const preview = form.getByRole("region", { name: "As the client sees it" });
  await test.step("a masked word: in the preview as it is typed, then on the client's page", async () => {
    await form.getByRole("textbox", { name: "Words to mask" }).fill("HANDBOOK");
    await expect(preview).toContainText("SC-4 Agent •••: how to search");
    await expectAccessible(page, section);
    await form.getByRole("button", { name: "Save" }).click();
    await expect(open).toBeFocused();
    await expect(section).toContainText("one word is masked");
    await expect(activity).toContainText("SC-4 Agent •••: how to search");
    const masked = activity.getByRole("listitem").filter({ hasText: "•••" }).last();
    await expect(masked.getByRole("link", { name: /^View on GitHub/ })).toHaveCount(0);
  });
  await test.step("what is typed while it is saved stays, and is saved by the next press", async () => {
    const words = form.getByRole("textbox", { name: "Words to mask" });
    const held = hold();
    await page.route("**/api/trpc/projects.update*", held.handler, { times: 1 });
    await open.click();
    await words.fill("HANDBOOK\nquay");
    const sent = page.waitForRequest("**/api/trpc/projects.update*");
    await form.getByRole("button", { name: "Save" }).click();
    await sent;
    await words.fill("HANDBOOK\nquay\nharbour");
    held.release();
    await expect(section).toContainText("2 words are masked");
    await expect(words).toHaveValue("HANDBOOK\nquay\nharbour");
    await words.fill("HANDBOOK");
    await form.getByRole("button", { name: "Save" }).click();
    await expect(open).toBeFocused();
    await expect(section).toContainText("one word is masked");
  });
  await test.step("what a colleague has chosen meanwhile is shown before it is replaced", async () => {
    await open.click();
    await form.getByRole("textbox", { name: "Words to mask" }).fill("HANDBOOK\nquay");
    await setView(projectId, "hidden");
    await expect(section).toContainText("The client sees nothing of them.");
    await form.getByRole("button", { name: "Save" }).click();
    await expect(form.getByRole("alert")).toContainText('Someone has changed this to "Nothing".');
    expect((await admin.projects.byId.query({ projectId })).commitView?.mode).toBe("hidden");
    await form.getByRole("button", { name: "Save" }).click();
    await expect(open).toBeFocused();
    await expect(section).toContainText("2 words are masked");
  });
  await test.step("counts: days and numbers alone", async () => {
    await open.click();
    await choice.selectOption("How many there were on each day");
    await expect(preview).toContainText(/\d{4}: \d+ changes?/);
    await form.getByRole("button", { name: "Save" }).click();
    await expect(activity.getByRole("heading", { name: /^Seed catalogue: \d+ changes?$/ }).first()).toBeVisible();
    await expect(activity).not.toContainText(/Photo|•••|sangam-demo/);
    const task = client
      .getByRole("article", { name: "Seed catalogue", exact: true })
      .getByRole("listitem")
      .filter({ has: client.getByRole("link", { name: "Photo sizes" }) });
    await expect(task).toBeVisible();
    await expect(task.getByRole("button", { name: /commit/ })).toHaveCount(0);
    await expectAccessible(client, activity);
  });
  await test.step("hidden: no list, and no heading of an empty one", async () => {
    await open.click();
    await choice.selectOption("Nothing");
    await expect(preview).toContainText("Nothing about commits.");
    await form.getByRole("button", { name: "Save" }).click();
    await expect(client.getByRole("heading", { name: "Repository Activity" })).toHaveCount(0);
    await expect(client.getByRole("article", { name: "Seed catalogue", exact: true })).toBeVisible();
  });
  await test.step("shown again, without a reload", async () => {
    for (const key of ["SC", "BPR"]) await setView(idOf(key), "titles");
    await expect(activity.getByRole("heading", { name: "Photo sizes: 1 change, finished" })).toBeVisible();
    await expect(activity).toContainText("Bus pass renewals");
  });
});
