import { randomUUID } from "node:crypto";
import type { Page, Route } from "@playwright/test";
import { REQUEST_MESSAGES } from "../server/contract/messages/requests";
import { api } from "./api";
import { expect, expectAccessible, goInApp, pressWhile, test } from "./fixtures";
import { authenticate } from "./pages/account";
import { openPalette } from "./pages/palette";
import { personId } from "./people";
import { addProject } from "./projects";
import { hold } from "./traffic";

test("a client files a request, its manager asks back and accepts it, and the client sees each state; who writes while somebody else decides keeps the text", async ({
  page,
  openContext,
  admin,
  consoleGuard,
}) => {
  const mill = await addProject(admin, "Tidal mill");
  const tables = await addProject(admin, "Tide tables");
  const collaborate = async (projectId: string, clientCollaboration: boolean) => {
    const { version } = await admin.projects.byId.query({ projectId });
    await admin.projects.update.mutate({ projectId, version, patch: { clientCollaboration } });
  };
  for (const { id } of [mill, tables]) await collaborate(id, true);
  await authenticate(page, "meera@sangam.example");
  await page.goto("/client/requests");
  await page.getByRole("button", { name: "New request" }).click();
  const dialog = page.getByRole("dialog", { name: "New request" });
  await expect(dialog.getByRole("textbox", { name: "Title" })).toBeVisible();
  await page.goBack();
  await expect(dialog).toBeHidden();
  await page.getByRole("button", { name: "New request" }).click();
  await dialog.getByRole("textbox", { name: "Title" }).fill("Tides in the evening");
  await dialog.getByRole("textbox", { name: "What do you need?" }).fill("Show the evening's tide too.");
  await dialog.getByRole("combobox", { name: "How urgent is it for you?" }).selectOption("High");
  await page.reload();
  await expect(dialog.getByRole("textbox", { name: "Title" })).toHaveValue("Tides in the evening");
  await test.step("where the chosen project takes no more requests, another one is chosen by hand", async () => {
    const choice = dialog.getByRole("combobox", { name: "Project" });
    await choice.selectOption(mill.title);
    await collaborate(mill.id, false);
    await expect(choice).toHaveValue("");
    await dialog.getByRole("button", { name: "Send request" }).press("Enter");
    await expect(choice).toBeFocused();
    await expect(choice).toHaveAccessibleDescription("Choose a project.");
    await choice.selectOption(tables.title);
  });
  await test.step("what is changed after its answer was lost says that it was sent before, and can be sent as well", async () => {
    consoleGuard.allow(/net::ERR_FAILED/);
    const lose = async (route: Route) => {
      await route.fetch();
      await route.abort();
    };
    await page.route("**/api/trpc/requests.create**", lose, { times: 1 });
    await dialog.getByRole("textbox", { name: "Title" }).fill("Tides at night");
    await dialog.getByRole("button", { name: "Send request" }).click();
    await expect(page.getByText(REQUEST_MESSAGES.createFailed)).toBeVisible();
    await dialog.getByRole("textbox", { name: "Title" }).fill("Tides in the evening");
    await dialog.getByRole("button", { name: "Send request" }).click();
    await expect(page.getByText(REQUEST_MESSAGES.keyTaken)).toBeVisible();
    await page.reload();
  });
  await dialog.getByRole("button", { name: "Send request" }).click();
  await expect(page.getByRole("heading", { name: "Tides in the evening" })).toBeVisible();

  await expectAccessible(page, page.getByRole("region", { name: "Request" }));
  const firm = await (await openContext()).newPage();
  await authenticate(firm, "mitali@sangam.example");
  await firm.goto("/dashboard/requests");
  await firm
    .getByRole("list", { name: "Requests" })
    .getByRole("link", { name: /Tides in the evening/ })
    .click();
  await firm.getByRole("button", { name: "Ask back" }).click();
  await expectAccessible(firm, firm.getByRole("region", { name: "Request" }));
  await firm.getByRole("button", { name: "Ask back" }).press("Enter");
  await expect(firm.getByRole("textbox", { name: "Question" })).toBeFocused();
  await firm.getByRole("textbox", { name: "Question" }).fill("Which harbours?");
  const filter = firm.getByRole("combobox", { name: "Status" });
  await filter.selectOption("New");
  await goInApp(firm, "/dashboard/team");
  await expect(firm.getByRole("heading", { level: 1, name: "Team" })).toBeVisible();
  await firm.goBack();
  await expect(firm.getByRole("textbox", { name: "Question" })).toHaveValue("Which harbours?");
  await expect(filter).toHaveValue("new");
  await filter.selectOption("All");
  await firm.getByRole("button", { name: "Ask back" }).click();

  await expect(page.getByRole("listitem").filter({ hasText: "Which harbours?" })).toBeVisible();
  await test.step("what is typed while an answer is sent stays", async () => {
    let send = () => {};
    const isTyped = new Promise<void>((resolve) => {
      send = resolve;
    });
    await page.route("**/api/trpc/requests.answer**", (route) => isTyped.then(() => route.continue()));
    await page.getByRole("textbox", { name: "Your answer" }).fill("All three.");
    await page.getByRole("button", { name: "Send answer" }).click();
    await page.getByRole("textbox", { name: "Your answer" }).fill("All three. And the moon.");
    send();
    await expect(firm.getByRole("listitem").filter({ hasText: "All three." })).toBeVisible();
    await expect(page.getByRole("button", { name: "Send", exact: true })).toBeEnabled();
    const more = page.getByRole("textbox", { name: "Add to your request" });
    await expect(more).toHaveValue("All three. And the moon.");
    await more.fill("");
  });
  await firm.getByRole("button", { name: "Accept" }).click();
  const form = firm.getByRole("form", { name: "Accept request" });
  await expect(form.getByRole("textbox", { name: "Title" })).toBeFocused();
  await expect(form.getByRole("combobox", { name: "Priority" })).toHaveValue("high");
  await form.getByRole("textbox", { name: "Title" }).fill(" ");
  await form.getByRole("button", { name: "Create task" }).press("Enter");
  await expect(form.getByRole("textbox", { name: "Title" })).toBeFocused();
  await form.getByRole("textbox", { name: "Title" }).fill("Evening tides");
  await form.getByLabel("Due date").fill("2027-03-01");
  await expectAccessible(firm, form);

  await test.step("labels that are made are all chosen, and what is typed before they are stays", async () => {
    const names = ["Tide", "Evening"].map((name) => `${name} ${tables.id.slice(0, 8)}`);
    const held = hold();
    await firm.route("**/api/trpc/labels.create*", held.handler);
    await form.getByRole("textbox", { name: "Title" }).fill("Tides");
    for (const name of names) {
      const asked = firm.waitForRequest("**/api/trpc/labels.create*");
      await form.getByRole("combobox", { name: /^Labels/ }).fill(name);
      await firm.getByRole("option", { name }).click();
      await asked;
    }
    await form.getByRole("textbox", { name: "Title" }).fill("Evening tides");
    held.release();
    for (const name of names) await expect(form.getByRole("button", { name: `Remove ${name}` })).toBeVisible();
    await expect(form.getByRole("textbox", { name: "Title" })).toHaveValue("Evening tides");
  });

  await test.step("after a reload the form keeps its fields, and what arrives late moves nothing under a press", async () => {
    const names = hold();
    await firm.route(/labels\.list/, names.handler);
    await firm.reload();
    await expect(form.getByRole("textbox", { name: "Title" })).toHaveValue("Evening tides");
    await expect(form.getByRole("combobox", { name: /^Assignees/ })).toBeVisible();
    await expect(form.getByRole("button", { name: "Edit labels" })).toHaveCount(0);
    await pressWhile(form.getByRole("button", { name: "Create task" }), () => arrive(firm, names));
  });
  await expect(firm.getByRole("heading", { level: 2, name: "Tides in the evening" })).toBeFocused();
  const outcome = page.getByRole("region", { name: "Request" }).getByRole("link", { name: /^[A-Z]{2,5}\d*-\d+$/ });
  await expect(outcome).toBeVisible();

  await firm
    .getByRole("region", { name: "Request" })
    .getByRole("link", { name: /^[A-Z]{2,5}\d*-\d+$/ })
    .click();
  await firm.getByRole("link", { name: /^From a request: Tides in the evening/ }).click();
  await expect(firm.getByRole("heading", { level: 2, name: "Tides in the evening" })).toBeVisible();
  await authenticate(firm, "vikram@sangam.example");
  await firm.goto(`/admin/clients/${await personId(admin, "Meera Rao")}?request=all`);
  await firm.getByRole("link", { name: /Tides in the evening/ }).click();
  await expect(firm.getByRole("listitem").filter({ hasText: "All three." })).toBeVisible();
  await expect(firm.getByRole("textbox")).toHaveCount(0);

  // The portal alone has a client's requests, also for one who has opened the board.
  await goInApp(page, "/dashboard");
  // Its header is another one than the portal's.
  await expect(page.getByRole("heading", { level: 1, name: "Projects Board" })).toBeVisible();
  await page.getByRole("button", { name: /^Notifications/ }).click();
  await page.getByRole("menuitem", { name: /Tides in the evening/ }).click();
  await expect(outcome).toBeVisible();
  await goInApp(page, "/dashboard");
  await expect(page.getByRole("heading", { level: 1, name: "Projects Board" })).toBeVisible();
  const palette = await openPalette(page);
  await palette.getByRole("combobox").fill("evening's tide");
  await page.getByRole("option", { name: /Tides in the evening/ }).click();
  await expect(outcome).toBeVisible();

  await test.step("what is declined and what is a duplicate shows as it happens, with why and of what", async () => {
    const request = page.getByRole("region", { name: "Request" });
    const lines = page.getByRole("list", { name: "Requests" });
    const file = async (title: string) => {
      const asked = { projectId: tables.id, title, text: "For the new crew.", urgency: "normal" } as const;
      const { id } = await admin.requests.create.mutate(asked);
      await lines.getByRole("link", { name: new RegExp(title) }).click();
      await expect(request.getByText("Sent", { exact: true })).toBeVisible();
      return id;
    };
    const declined = await file("A paper edition");
    await admin.requests.decline.mutate({ requestId: declined, reason: "The tables change every day." });
    await expect(request.getByText("Declined: The tables change every day.")).toBeVisible();
    const duplicate = await file("A printed edition");
    await admin.requests.markDuplicate.mutate({ requestId: duplicate, ofRequestId: declined });
    for (const [title, status] of [
      ["A paper edition", "Declined"],
      ["A printed edition", "Duplicate"],
    ] as const)
      await expect(
        lines.getByRole("link", { name: new RegExp(title) }).getByText(status, { exact: true }),
      ).toBeVisible();
    await request.getByRole("link", { name: "A paper edition" }).click();
    await expect(request.getByRole("heading", { name: "A paper edition" })).toBeVisible();
  });

  await test.step("a task offers to remove its own files, and not those of its request", async () => {
    const meera = api(page);
    const upload = async (name: string): Promise<string> =>
      (await (await page.request.post(`/api/files?name=${name}`, { data: "A table" })).json()).id;
    const asked = { projectId: tables.id, title: "Spring tides", text: "As attached.", urgency: "normal" } as const;
    const request = await meera.requests.create.mutate({ ...asked, fileIds: [await upload("spring.txt")] });
    const task = await admin.requests.accept.mutate({
      requestId: request.id,
      task: { title: "Spring", description: "As attached." },
    });
    const fileIds = [await upload("neap.txt")];
    await meera.files.attach.mutate({ subject: { taskId: task.id }, fileIds, visibility: "client" });
    const { key } = await admin.projects.byId.query({ projectId: tables.id });
    await page.goto(`/task/${key}-${task.number}`);
    await expect(page.getByRole("button", { name: "Remove neap.txt" })).toBeVisible();
    await expect(page.getByText("spring.txt")).toBeVisible();
    await expect(page.getByRole("button", { name: "Remove spring.txt" })).toHaveCount(0);
  });

  await test.step("whoever writes about a request while somebody else decides it is told who, and keeps the text", async () => {
    const asked = { projectId: tables.id, text: "Longer ones.", urgency: "normal" } as const;
    const request = await admin.requests.create.mutate({ ...asked, title: "Ropes" });
    // More labels than a task may have: begun before some of them were made.
    const labelIds = Array.from({ length: 21 }, () => randomUUID());
    const task = {
      title: "Ropes",
      description: "Longer ones.",
      dueDate: "",
      priority: "none",
      labelIds,
      assignedTo: [],
    };
    const key = `draft-request-task-${await personId(admin, "Vikram Menon")}-${request.id}`;
    await firm.evaluate(([name, draft]) => sessionStorage.setItem(name, draft), [key, JSON.stringify(task)] as const);
    await test.step("names that arrive while a button is pressed do not push it away", async () => {
      const names = hold();
      await firm.route(/labels\.list/, names.handler);
      await goInApp(firm, `/admin/requests?request=${request.id}`);
      const chips = form.getByRole("toolbar", { name: "Labels" });
      await expect(chips.getByText("Loading…")).toHaveCount(labelIds.length);
      await expect(form.getByRole("combobox", { name: /^Assignees/ })).toBeVisible();
      await pressWhile(form.getByRole("button", { name: "Create task" }), () => arrive(firm, names));
      await expect(firm.getByText("At most 20 labels.")).toBeVisible();
      await expect(chips.getByText("No longer available")).toHaveCount(labelIds.length);
    });
    await firm.getByRole("button", { name: "Cancel" }).click();
    await test.step("while there is nothing to choose yet, a press says so; what fails is said and keeps the choice", async () => {
      consoleGuard.allow(/net::ERR_FAILED/);
      let answer = () => {};
      const isPressed = new Promise<void>((resolve) => {
        answer = resolve;
      });
      await firm.route(/requests\.list.*projectId/, (route) => isPressed.then(() => route.abort()));
      await firm.getByRole("button", { name: "More actions" }).click();
      await firm.getByRole("menuitem", { name: "Duplicate of…" }).click();
      await firm.getByRole("button", { name: "Mark as duplicate" }).click();
      await expect(firm.getByText(REQUEST_MESSAGES.othersLoading)).toBeVisible();
      answer();
      await expect(firm.getByRole("alert")).toContainText(REQUEST_MESSAGES.othersFailed);
      await expect(firm.getByText(REQUEST_MESSAGES.othersLoading)).toHaveCount(0);
      await firm.unroute(/requests\.list.*projectId/);
      await firm.getByRole("button", { name: "Retry" }).click();
      const choice = firm.getByRole("combobox", { name: "Duplicate of" });
      await choice.selectOption({ index: 1 });
      const chosen = await choice.inputValue();
      await firm.route("**/api/trpc/requests.markDuplicate**", (route) => route.abort());
      await firm.getByRole("button", { name: "Mark as duplicate" }).click();
      await expect(firm.getByText(REQUEST_MESSAGES.duplicateFailed)).toBeVisible();
      await expect(choice).toHaveValue(chosen);
      await firm.getByRole("button", { name: "Cancel" }).click();
    });
    await firm.getByRole("button", { name: "Decline" }).click();
    await firm.getByRole("textbox", { name: "Reason" }).fill("Ours are long enough.");
    // The answer comes before the event that would take the form away.
    await firm.route("**/api/trpc/requests.decline**", async (route) => {
      await admin.requests.decline.mutate({ requestId: request.id, reason: "Later" });
      await route.continue();
    });
    await firm.getByRole("button", { name: "Decline" }).click();
    await expect(firm.getByText("Asha Kulkarni has already declined it.")).toBeVisible();
    await expect(firm.getByLabel("What you typed is still here")).toHaveValue(
      "Ours are long enough.\n\nRopes\n\nLonger ones.",
    );
    await firm.getByRole("button", { name: "Discard" }).press("Enter");
    await expect(firm.getByRole("heading", { level: 2, name: request.title })).toBeFocused();
    await expect(firm.getByLabel("What you typed is still here")).toHaveCount(0);

    await test.step("who declines is led to the outcome, and on a phone back to the line in the list", async () => {
      const next = await admin.requests.create.mutate({ ...asked, title: "Fenders" });
      await firm.setViewportSize({ width: 400, height: 800 });
      await goInApp(firm, `/admin/requests?request=${next.id}`);
      await firm.unroute("**/api/trpc/requests.decline**");
      await firm.getByRole("button", { name: "Decline" }).press("Enter");
      await firm.getByRole("textbox", { name: "Reason" }).fill("They are soft.");
      await firm.getByRole("button", { name: "Decline" }).press("Enter");
      await expect(firm.getByRole("heading", { level: 2, name: "Fenders" })).toBeFocused();
      await expect(firm.getByRole("status").filter({ hasText: "Declined" })).toBeAttached();
      await firm.getByRole("link", { name: "All requests" }).press("Enter");
      await expect(firm.getByRole("list", { name: "Requests" }).getByRole("link", { name: /Fenders/ })).toBeFocused();
    });
  });
});

/** Lets the held labels go, and waits until they are there. */
async function arrive(page: Page, names: ReturnType<typeof hold>): Promise<void> {
  const answered = page.waitForResponse(/labels\.list/);
  names.release();
  await answered.then((response) => response.finished());
}
