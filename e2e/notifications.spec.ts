import { randomUUID } from "node:crypto";
import { renderHtml } from "../server/mail/html";
import { api } from "./api";
import { expect, expectAccessible, expectAccessibleEverywhere, expectFits, test } from "./fixtures";
import { authenticate } from "./pages/account";
import { openPalette } from "./pages/palette";
import { personId } from "./people";
import { createProject } from "./projects";

const ROHAN = "rohan@sangam.example";
const MITALI = "mitali@sangam.example";

test("the bell counts what comes in, on every open page; by keyboard alone it is opened, and what is read is read everywhere", async ({
  page,
  openContext,
  admin,
}) => {
  const rohan = await (await openContext()).newPage();
  await authenticate(rohan, ROHAN);
  await authenticate(page, MITALI);
  await api(page).notifications.markRead.mutate({ all: true });
  const mitaliId = await personId(admin, "Mitali Deshpande");
  const project = await createProject(api(rohan), { title: "Lantern room", assignedTo: [mitaliId] });
  await page.goto("/dashboard/inbox");
  const inbox = page.getByRole("list", { name: "Notifications" });
  await expect(inbox.getByRole("link", { name: /^Unread: Lantern room/ })).toBeVisible();
  const bell = page.getByRole("button", { name: "Notifications, 1 unread" });
  await expect(bell).toBeVisible();
  await expectAccessibleEverywhere(page, { within: page.getByRole("main") });

  // Another device of the same person.
  const other = await (await openContext()).newPage();
  await authenticate(other, MITALI);
  await other.goto("/dashboard/tasks");
  await expect(other.getByRole("button", { name: "Notifications, 1 unread" })).toBeVisible();
  const task = await api(rohan).tasks.create.mutate({
    projectId: project.id,
    title: "Polish the lens",
    description: "What to do.",
    assignedTo: [mitaliId],
  });
  await expect(other.getByRole("button", { name: "Notifications, 2 unread" })).toBeVisible();
  await expect(inbox.getByRole("listitem").first()).toContainText("Polish the lens");
  await expect(inbox.getByRole("listitem").first()).toContainText("Rohan Shah assigned this to you");

  await test.step("what happens to one thing stands together", async () => {
    await api(rohan).comments.create.mutate({
      clientCommentId: randomUUID(),
      subject: { taskId: task.id },
      text: `With the soft cloth, @[Mitali Deshpande](person:${mitaliId})`,
      visibility: "team",
    });
    await expect(inbox.getByRole("link", { name: /Polish the lens/ })).toHaveCount(1);
    await expect(inbox.getByRole("listitem").first()).toContainText(
      /Rohan Shah mentioned you.*Rohan Shah assigned this to you/,
    );
  });

  await test.step("keys choose in the bell's menu, and what is read there is read on the other device", async () => {
    await page.getByRole("button", { name: "Notifications, 3 unread" }).press("Enter");
    const menu = page.getByRole("menu");
    const entry = menu.getByRole("menuitem", { name: /^Unread: Lantern room Rohan/ });
    await expect(entry).toBeVisible();
    await expectAccessibleEverywhere(page, { within: menu });
    await expect(menu.getByRole("menuitem", { name: /^Unread: .*Polish the lens/ })).toBeFocused();
    await page.keyboard.press("ArrowDown");
    await expect(entry).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(new RegExp(`inbox\\?modal=view&project=${project.id}$`));
    await expect(page.getByRole("dialog", { name: "Lantern room" })).toBeVisible();
    await expect(other.getByRole("button", { name: "Notifications, 2 unread" })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page).toHaveURL(/\/dashboard\/inbox$/);
  });

  await test.step("what is said in a project opens where it stands", async () => {
    await api(rohan).comments.create.mutate({
      clientCommentId: randomUUID(),
      subject: { projectId: project.id },
      text: "Who has the key?",
      visibility: "team",
    });
    const entry = inbox.getByRole("link", { name: /^Unread: Lantern room.*Rohan Shah commented/ });
    await entry.press("Enter");
    const discussion = page.getByRole("dialog", { name: "Lantern room" }).getByRole("region", { name: "Discussion" });
    await expect(discussion).toContainText("Who has the key?");
    await page.keyboard.press("Escape");
    await expect(inbox.getByRole("link", { name: /^Lantern room/ })).toBeFocused();
    const palette = await openPalette(page);
    await palette.getByRole("combobox").fill("who has the key");
    await palette.getByRole("option", { name: /Who has the key\?/ }).click();
    await expect(discussion).toContainText("Who has the key?");
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });

  await test.step("keys open a task over the inbox, come back to its entry, and mark all as read", async () => {
    const entry = inbox.getByRole("link", { name: /Polish the lens/ });
    await entry.press("Enter");
    await expect(page.getByRole("dialog").getByRole("heading", { level: 2 })).toBeFocused();
    await expect(page.getByRole("dialog")).toContainText("With the soft cloth");
    await expect(other.getByRole("button", { name: "Notifications", exact: true })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(entry).toBeFocused();
    await expect(inbox.getByRole("link", { name: /^Unread/ })).toHaveCount(0);
    await createProject(api(rohan), { title: "Fog horn", assignedTo: [mitaliId] });
    await expect(inbox.getByRole("link", { name: /^Unread: Fog horn/ })).toBeVisible();
    await page.getByRole("button", { name: "Mark all as read" }).press("Enter");
    await expect(inbox.getByRole("link", { name: /^Unread/ })).toHaveCount(0);
    await expect(other.getByRole("button", { name: "Notifications", exact: true })).toBeVisible();
  });

  // What shows pushes is a file of the site's own root: from there it may show notifications of all pages.
  const scope = await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.register("/push-worker.js");
    await registration.unregister();
    return new URL(registration.scope).pathname;
  });
  expect(scope).toBe("/");
});

test("a mail is accessible in both themes, and fits a desk and a phone", async ({ page }) => {
  const html = renderHtml({
    subject: "What happened today",
    greeting: "Hello Mitali,",
    paragraphs: ["Rohan Shah wrote from https://sangam.example/task/LR-1 today."],
    quote: "Needs a softcloth".repeat(9),
    list: [{ title: "Polish the lens", url: "https://sangam.example/task/LR-1", lines: ["Rohan Shah commented"] }],
    action: { label: "Open the inbox", url: `https://sangam.example/dashboard/inbox?${"long".repeat(30)}` },
    footnote: "You get this because you follow it.",
    unsubscribeUrl: "https://sangam.example/api/unsubscribe?token=abc",
  });
  await page.setContent(html);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page);
  }
  await expectFits(page, 360, 1280);
});
