import { expect, expectAccessible, test } from "./fixtures";
import { authenticate, DEMO_PASSWORD } from "./pages/account";
import { addProject } from "./projects";
import { hold } from "./traffic";

test("a manager writes a status update from a draft that is kept, and the client reads it", async ({
  page,
  admin,
  consoleGuard,
}) => {
  consoleGuard.allow(/ERR_FAILED/);
  const { id, title } = await addProject(admin, "Status");
  await authenticate(page, "mitali@sangam.example", DEMO_PASSWORD);
  await page.goto(`/dashboard/inbox?modal=view&project=${id}`);
  const section = page.getByRole("region", { name: "Status updates" });
  await expect(section.getByText("No status update yet")).toBeVisible();
  const text = section.getByRole("textbox", { name: "Status update" });
  const health = section.getByLabel("How the project stands");
  await test.step("a draft that does not load is no empty form", async () => {
    await page.route(/statusUpdates\.draft/, (route) => route.abort());
    await section.getByRole("button", { name: "Write status update" }).click();
    await expect(section.getByRole("alert")).toBeVisible();
    await section.getByRole("button", { name: "Write without a draft" }).click();
    await expect(text).toBeFocused();
    await text.fill("By hand.");
    await section.getByRole("button", { name: "Send" }).click();
    await expect(health).toBeFocused();
    await expect(health).toHaveAccessibleDescription("Choose how the project stands.");
    await page.evaluate(() => sessionStorage.clear());
    await section.getByRole("button", { name: "Cancel" }).click();
    await section.getByRole("button", { name: "Write status update" }).click();
    await expect(section.getByRole("alert")).toBeVisible();
    await page.unroute(/statusUpdates\.draft/);
    await section.getByRole("button", { name: "Retry" }).click();
  });
  await expect(text).toHaveValue(/^Done: no task was completed\.\nMoved: no dates\./);
  await text.fill("Berths are live.");
  await health.selectOption("At risk");
  await section.getByRole("button", { name: "Cancel" }).click();
  const [gauges] = await admin.tasks.list.query({ projectId: id });
  await admin.tasks.setCompleted.mutate({ taskId: gauges?.id ?? "", completed: true });
  await section.getByRole("button", { name: "Write status update" }).click();
  await expect(text).toHaveValue("Berths are live.");
  await expectAccessible(page, section);
  await test.step("one whose answer is lost is sent once", async () => {
    await page.route(/statusUpdates\.send/, (route) => route.fetch().then(() => route.abort()), { times: 1 });
    await section.getByRole("button", { name: "Send" }).click();
    await expect(section.getByRole("alert").filter({ hasText: "Failed to send" })).toBeVisible();
    await section.getByRole("button", { name: "Send" }).click();
    await expect(text).toHaveCount(0);
    expect(await admin.statusUpdates.list.query({ projectId: id })).toHaveLength(1);
  });
  await expect(section.getByRole("article")).toContainText("At risk");
  await expect(section.getByRole("article")).toContainText("Berths are live.");
  // Done while it was being written, it is in the next one.
  expect((await admin.statusUpdates.draft.query({ projectId: id })).text).toContain(gauges?.title);
  const reminder = section.getByRole("checkbox", { name: "Remind the managers every week" });
  const asSaved = () => admin.projects.byId.query({ projectId: id });
  const { version } = await asSaved();
  // Changed again before the answer: the second change waits for the version that the first one makes.
  const first = hold();
  await page.route(/projects\.update/, first.handler, { times: 1 });
  await reminder.check();
  await reminder.uncheck();
  first.release();
  await expect.poll(asSaved).toMatchObject({ version: version + 2, statusReminder: false });
  await expect(reminder).not.toBeChecked();
  await reminder.check();
  await expect.poll(asSaved).toMatchObject({ statusReminder: true });

  await authenticate(page, "meera@sangam.example", DEMO_PASSWORD);
  await page.goto(`/client?open=${id}`);
  const project = page.getByRole("article", { name: title });
  await expect(project.getByText("Berths are live.")).toBeVisible();
  await admin.statusUpdates.send.mutate({ projectId: id, health: "on-track", text: "Tides too." });
  await expect(project.getByText("Tides too.")).toBeVisible();
  await project.getByRole("button", { name: "Show earlier updates (1)" }).click();
  await expect(project.getByText("Berths are live.")).toBeVisible();
  await expectAccessible(page, project);
});
