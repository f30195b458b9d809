import type { Locator, Page } from "@playwright/test";
import { expect, expectAccessible, goInApp, test } from "./fixtures";
import { authenticate } from "./pages/account";
import { chooseFiles, PLAN } from "./pages/files";
import { sheetOf } from "./pages/task-sheet";
import { addProject } from "./projects";
import { hold } from "./traffic";

test("files of a task and of its project come and go live, the team's never on the client's, who reads without a field to change", async ({
  page,
  openContext,
  admin,
}) => {
  const project = await addProject(admin, "Tide mill");
  const { key } = await admin.projects.byId.query({ projectId: project.id });
  const other = await openContext().then((context) => context.newPage());
  await authenticate(page, "rohan@sangam.example");
  await authenticate(other, "mitali@sangam.example");
  await page.goto(`/dashboard/inbox?task=${key}-1`);
  await other.goto(`/dashboard/inbox?task=${key}-1`);
  const [sheet, theirs] = [sheetOf(page), sheetOf(other)];
  const portal = await openContext().then((context) => context.newPage());
  await test.step("a file on it comes and goes on the screens of others, the team's never on the client's", async () => {
    await authenticate(portal, "meera@sangam.example");
    await portal.goto(`/task/${key}-1`);
    await expect(portal).toHaveURL(new RegExp(`/client\\?task=${key}-1$`));
    await expect(sheetOf(portal).getByRole("list", { name: "Comments" })).toBeVisible();
    const files = (one: Locator) => one.getByRole("list", { name: "Files", exact: true });
    const [own, others, clients] = [files(sheet), files(theirs), files(sheetOf(portal))];
    await attach(page, "fees.bin", "Team");
    await expect(others.getByText("fees.bin")).toBeVisible();
    await attach(page, "plan.bin", "Client can see");
    await expect(others.getByText("plan.bin")).toBeVisible();
    await expect(clients.getByRole("listitem")).toHaveText([/plan\.bin/]);
    for (const name of ["fees.bin", "plan.bin"]) {
      await own.getByRole("button", { name: `Remove ${name}` }).click();
      await page.getByRole("alertdialog", { name: "Remove file" }).getByRole("button", { name: "Remove" }).click();
      await expect(others.getByText(name)).toBeHidden();
      if (name === "fees.bin") await expect(own.getByRole("button", { name: "Remove plan.bin" })).toBeFocused();
    }
    await expect(clients).toBeHidden();
  });

  await test.step("a file that was chosen and is not attached is there again once the task is", async () => {
    const files = sheet.getByRole("region", { name: "Files" });
    await chooseFiles(page, [{ ...PLAN, name: "later.bin" }], files);
    await expect(files.getByRole("button", { name: "Remove later.bin" })).toBeVisible();
    await sheet.getByRole("button", { name: "Close" }).click();
    await expect(sheet).toBeHidden();
    await goInApp(page, `/dashboard/inbox?task=${key}-1`);
    await expect(files.getByRole("list", { name: "Files to attach" })).toContainText("later.bin");
    // Attached while nobody looks, it waits no more.
    const held = hold();
    await page.route("**/api/trpc/files.attach*", held.handler, { times: 1 });
    const asked = page.waitForRequest("**/api/trpc/files.attach*");
    await files.getByRole("button", { name: "Attach", exact: true }).click();
    const answered = (await asked).response();
    await sheet.getByRole("button", { name: "Close" }).click();
    await expect(sheet).toBeHidden();
    held.release();
    await (await answered)?.finished();
    await goInApp(page, `/dashboard/inbox?task=${key}-1`);
    await expect(files.getByRole("list", { name: "Files", exact: true })).toContainText("later.bin");
    await expect(files.getByRole("list", { name: "Files to attach" })).toBeHidden();
    await chooseFiles(page, [PLAN], files);
    await files.getByRole("button", { name: "Cancel", exact: true }).press("Enter");
    await expect(files.getByRole("button", { name: "Attach files" })).toBeFocused();
  });

  await test.step("closed, it leaves the page as it was; the client reads it without a field to change", async () => {
    await sheet.getByRole("button", { name: "Close" }).click();
    await expect(page).toHaveURL(/\/dashboard\/inbox$/);
    const read = sheetOf(portal);
    await portal.setViewportSize({ width: 360, height: 780 });
    await expect(read).toContainText("All of them.");
    await expect(read.getByRole("textbox").or(read.getByRole("combobox"))).toHaveCount(0);
    expect(await read.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
    await expectAccessible(portal, read);
    await portal.setViewportSize({ width: 1280, height: 800 });
  });

  await test.step("files of the project itself stand with its details, and in the portal those for the client", async () => {
    await goInApp(page, `/dashboard/inbox?modal=view&project=${project.id}`);
    await goInApp(portal, `/client?open=${project.id}`);
    const card = portal.getByRole("article", { name: project.title });
    const inPortal = card.getByRole("list", { name: "Files", exact: true });
    // Without comments it takes no room.
    await expect(card.getByRole("list", { name: "Comments" })).toBeAttached();
    const inDetails = page
      .getByRole("dialog", { name: project.title })
      .getByRole("list", { name: "Files", exact: true });
    // What is chosen while another file is being attached waits for its own turn.
    const held = hold();
    await page.route("**/api/trpc/files.attach*", held.handler);
    await attach(page, "contract.bin", "Team");
    const files = page.getByRole("region", { name: "Files" });
    await chooseFiles(page, [{ ...PLAN, name: "offer.bin" }], files);
    await expect(files.getByRole("button", { name: "Remove offer.bin" })).toBeVisible();
    held.release();
    await expect(inDetails.getByText("contract.bin")).toBeVisible();
    await files.getByRole("radio", { name: "Client can see" }).check();
    await files.getByRole("button", { name: "Attach", exact: true }).click();
    await expect(inDetails.getByRole("listitem")).toHaveText([/contract\.bin.*Team/, /offer\.bin.*Client can see/]);
    await expect(inPortal.getByRole("listitem")).toHaveText([/offer\.bin/]);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });
});

async function attach(page: Page, name: string, visibility: string): Promise<void> {
  const files = page.getByRole("region", { name: "Files" });
  await chooseFiles(page, [{ ...PLAN, name }], files);
  await files.getByRole("radio", { name: visibility }).check();
  // It is refused while the file is on its way.
  await expect(files.getByRole("button", { name: `Remove ${name}` })).toBeVisible();
  await files.getByRole("button", { name: "Attach", exact: true }).click();
}
