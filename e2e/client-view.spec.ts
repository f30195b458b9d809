import { randomUUID } from "node:crypto";
import type { Locator } from "@playwright/test";
import { MESSAGES } from "../server/contract/messages";
import { api } from "./api";
import { expect, expectAccessibleEverywhere, expectFits, goInApp, test } from "./fixtures";
import { authenticate, openAs } from "./pages/account";
import { AllProjects } from "./pages/admin";
import { Portal } from "./pages/portal";
import { UsersPage } from "./pages/users";
import { personId } from "./people";
import { addProject, removeProjects } from "./projects";

const ADMIN = "asha@sangam.example";
const CLIENT = "meera@sangam.example";

test("an admin reads exactly what the client reads, live, under a bar; it opens from wherever the client stands, and nothing can be sent", async ({
  page,
  openContext,
  admin,
}) => {
  const client = new Portal(await (await openContext()).newPage());
  const { items } = await admin.projects.list.query({ scope: "all" });
  const harbour = items.find(({ title }) => title === "Harbour booking portal");
  await openAs(client.page, { email: CLIENT, path: `/client?open=${harbour?.id}` });
  await expect(client.project("Harbour booking portal")).toContainText("Receipt PDF");
  await expect(client.project("Harbour booking portal")).toContainText("The harbour master joins.");

  const mutations: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") mutations.push(new URL(request.url()).pathname.replace("/api/trpc/", ""));
  });
  await authenticate(page, ADMIN);
  await page.goto(`/admin/clients/${await personId(admin, "Meera Rao")}`);
  const view = new Portal(page);
  const { bar } = view;
  await expect(view.bar).toContainText("Viewing Meera Rao's portal, read-only");
  await view.details("Harbour booking portal").click();
  await expect(view.project("Harbour booking portal")).toContainText("Receipt PDF");
  await expect(view.project("Harbour booking portal")).toContainText("The harbour master joins.");
  await expect(async () => expect(await view.texts()).toEqual(await client.texts())).toPass({ timeout: 20_000 });

  const main = page.getByRole("main");
  await expect(main.getByRole("textbox").or(main.getByRole("checkbox")).or(main.getByRole("combobox"))).toHaveCount(0);
  await expect(main.getByRole("button", { name: /^(?!(Show|Hide) |Close$|\d+ commit)/ })).toHaveCount(0);
  await expect(main.getByRole("list", { name: "The portal's menu" })).toContainText(
    "only the people in a conversation can read it",
  );
  expect(mutations.filter((path) => !path.startsWith("auth."))).toEqual(["users.openClientView"]);

  await test.step("it opens from the person's menu, from the project's client and from the list; Close leads back, Forward in again", async () => {
    const users = new UsersPage(page);
    await goInApp(page, "/admin/users?users=active");
    await users.choose("Meera Rao", "See as this client");
    await expect(bar).toContainText("Meera Rao");
    await expect(page).toHaveTitle("Viewing Meera Rao's portal, read-only · Sangam");
    await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
    // Also from another page of the portal.
    await main.getByRole("list", { name: "The portal's menu" }).getByRole("link", { name: "Requests" }).click();
    await expect(page).toHaveURL(/request=all/);
    await bar.getByRole("button", { name: "Close" }).click();
    await expect(page).toHaveURL(/\/admin\/users\?users=active$/);
    await page.goForward();
    await expect(bar).toContainText("Meera Rao");

    await bar.getByRole("link", { name: "Choose another" }).click();
    await page.getByRole("list", { name: "Clients" }).getByRole("link", { name: "Kabir Anand" }).click();
    await expect(bar).toContainText("Viewing Kabir Anand's portal, read-only");

    const all = new AllProjects(page);
    await goInApp(page, "/admin");
    await all.header("Harbour booking portal").click();
    await all.row("Harbour booking portal").getByRole("link", { name: "See as this client, Meera Rao" }).click();
    await expect(bar).toContainText("Meera Rao");
    await page.goBack();
    await expect(all.header("Harbour booking portal")).toHaveAttribute("aria-expanded", "true");
    await goInApp(page, "/admin/users");
    await page
      .getByRole("row", { name: /Rohan Shah/ })
      .getByRole("button", { name: /^More actions/ })
      .click();
    await expect(page.getByRole("menuitem", { name: "Deactivate" })).toBeVisible();
    await expect(page.getByRole("menuitem", { name: "See as this client" })).toHaveCount(0);
  });

  const nightWatch = await addProject(admin, "Night watch");
  await test.step("the bell leads out of it: what it tells of is not for that client", async () => {
    const { key } = await admin.projects.byId.query({ projectId: nightWatch.id });
    const { id: taskId } = await admin.tasks.byKey.query({ key: `${key}-1` });
    const rohan = await (await openContext()).newPage();
    await authenticate(rohan, "rohan@sangam.example");
    await goInApp(page, `/admin/clients/${await personId(admin, "Kabir Anand")}`);
    await expect(bar).toContainText("Kabir Anand");
    await api(rohan).comments.create.mutate({
      clientCommentId: randomUUID(),
      subject: { taskId },
      text: `Between us, @[Asha Kulkarni](person:${await personId(admin, "Asha Kulkarni")})`,
      visibility: "team",
    });
    await page.getByRole("button", { name: /^Notifications, \d+ unread/ }).click();
    await page.getByRole("menuitem", { name: new RegExp(`Unread: ${key}-1`) }).click();
    await expect(page).toHaveURL(new RegExp(`/admin\\?task=${key}-1$`));
    await expect(page.getByRole("dialog")).toContainText("Between us");
    await page.goBack();
    await expect(bar).toContainText("Kabir Anand");
  });

  await test.step("it follows what others change, and a client that is none has a calm face", async () => {
    await goInApp(page, `/admin/clients/${crypto.randomUUID()}`);
    await expect(page.getByText(MESSAGES.users.clientNotFound)).toBeVisible();
    await page.getByRole("link", { name: "Choose a client" }).click();
    await page.getByRole("link", { name: "Meera Rao" }).click();
    // Until the list is read again it is the one from before that project.
    await expect(view.project(nightWatch.title)).toBeVisible();
    const before = Number(await view.stat("Total Projects").textContent());

    const { id: projectId, title } = await addProject(admin, "Seen at once");
    await expect(view.project(title)).toContainText("0 of 2 tasks done");
    await expect(view.stat("Total Projects")).toHaveText(String(before + 1));
    await view.details(title).click();
    await expect(view.project(title)).toContainText("Read the gauges");
    await admin.tasks.create.mutate({ projectId, title: "Oil the winch", description: "Both of them." });
    await expect(view.project(title)).toContainText("Oil the winch");
    await admin.projects.update.mutate({ projectId, version: 1, patch: { clientId: null } });
    await expect(view.project(title)).toHaveCount(0);
    await expect(view.stat("Total Projects")).toHaveText(String(before));
    await removeProjects(admin);
  });

  await test.step("it is accessible in both themes and on a phone, with its list of clients", async () => {
    await goInApp(page, "/admin/clients");
    await expect(page.getByRole("link", { name: "Meera Rao" })).toBeVisible();
    await expectAccessibleEverywhere(page, { within: page.getByRole("main") });
    await page.getByRole("link", { name: "Meera Rao" }).click();
    await view.details("Harbour booking portal").click();
    await expect(page.getByRole("list", { name: "Repository Activity" })).toBeVisible();
    await expect(page.getByRole("main").getByText(/^Loading /)).toHaveCount(0);
    // The portal below the bar is looked at as the client's own page.
    await expectAccessibleEverywhere(page, { widths: [360], within: view.bar });
    // The bar is sticky, and a focused element is never hidden under it.
    await expectFits(page, 360);
    const first = view.details("Quay lighting audit");
    await page.evaluate(() => window.scrollTo({ top: document.body.scrollHeight, behavior: "instant" }));
    await first.focus();
    const barBottom = await bottomOf(view.bar);
    await expect.poll(() => topOf(first)).toBeGreaterThanOrEqual(barBottom);
  });
});

async function topOf(locator: Locator): Promise<number> {
  return (await locator.boundingBox())?.y ?? Number.NaN;
}

async function bottomOf(locator: Locator): Promise<number> {
  const box = await locator.boundingBox();
  return box ? box.y + box.height : Number.NaN;
}
