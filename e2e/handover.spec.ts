import { drawn, expect, expectAccessible, goInApp, test } from "./fixtures";
import { authenticate, openAs } from "./pages/account";
import { Chat, startConversation } from "./pages/chat";
import { UsersPage } from "./pages/users";
import { insertPerson, personId } from "./people";
import { createProject, dayFromToday } from "./projects";
import { insertAccountsWritingTo, writeRows } from "./rows";
import { hold } from "./traffic";

test("an admin on leave hands a conversation over, and of one who is gone another takes it", async ({
  page,
  openContext,
  consoleGuard,
  admin,
  server,
}) => {
  consoleGuard.allow(/net::ERR_FAILED/);
  const client = await insertPerson(server, { name: "Tara Jetty", as: "client" });
  const ira = await insertPerson(server, { name: "Ira Desk", as: "admin" });
  const ravi = await insertPerson(server, { name: "Ravi Stand", as: "admin" });
  const [clientPage, raviPage] = [await (await openContext()).newPage(), await (await openContext()).newPage()];
  await authenticate(clientPage, client.email, client.password);
  const conversationId = await startConversation(clientPage, ira.name, "When is the review?");
  const [taras, iras, ravis] = [new Chat(clientPage), new Chat(page), new Chat(raviPage)];

  await test.step("its own admin does, until a day", async () => {
    await clientPage.goto(`/client/messages/${conversationId}`);
    await openAs(page, { ...ira, path: `/admin/messages/${conversationId}` });
    await openAs(raviPage, { ...ravi, path: "/admin/messages" });
    await iras.field(client.name).fill("On Thursd");
    await page.getByRole("button", { name: "Conversation actions" }).press("Enter");
    await expect(page.getByRole("menuitem", { name: "Hand over…" })).toBeFocused();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Hand over conversation" });
    await dialog.getByRole("combobox", { name: "To" }).selectOption(ravi.name);
    await dialog.getByLabel("Until").fill(dayFromToday(10));
    await expectAccessible(page, dialog);
    const call = hold();
    await page.route("**/chat.handOver*", call.handler, { times: 1 });
    await dialog.getByRole("button", { name: "Hand over" }).press("Enter");
    await expect(dialog.getByRole("button", { name: "Handing over..." })).toBeVisible();
    for (const leave of [
      () => page.keyboard.press("Escape"),
      () => dialog.getByRole("button", { name: "Cancel" }).press("Enter"),
    ]) {
      await leave();
      await drawn(page);
      await expect(dialog).toBeVisible();
    }
    call.release();
    await expect(page.getByText(/^Ravi Stand covers until /)).toBeVisible();
    // The menu that opened the dialog has gone.
    await expect(page.getByRole("heading", { level: 2, name: client.name })).toBeFocused();
    // What was typed is not lost.
    await expect(page.getByRole("textbox", { name: `Unsent message to ${client.name}` })).toHaveValue("On Thursd");
  });

  await test.step("the client reads who covers, and who covers reads and answers by name", async () => {
    await expect(clientPage.getByText(/^Ravi Stand covers until /)).toBeVisible();
    await ravis.line(/^Tara Jetty, client, you cover for Ira Desk, last message When is/).click();
    await expect(raviPage.getByText(/^You cover for Ira Desk until /)).toBeVisible();
    await ravis.send(client.name, "On Thursday at ten");
    for (const chat of [taras, iras]) {
      await expect(chat.message("On Thursday at ten").getByText("Ravi Stand", { exact: true })).toBeVisible();
    }
    await taras.send(ira.name, "Thank you, Ravi");
    await expect(ravis.message("Thank you, Ravi")).toBeVisible();
    await expect(taras.message("Thank you, Ravi").getByRole("img", { name: "Read" })).toBeVisible();
    // Both see whose turn it is; that no reply is needed says only who would write it.
    for (const { page: reader } of [iras, ravis])
      await expect(
        reader
          .getByRole("region", { name: client.name })
          .getByText(/^Waiting for us/)
          .filter({ visible: true }),
      ).toBeVisible();
    await expect(raviPage.getByRole("button", { name: "No reply needed" })).toBeVisible();
    await expect(page.getByRole("button", { name: "No reply needed" })).toHaveCount(0);
    await expectAccessible(raviPage, raviPage.getByRole("region", { name: client.name, exact: true }));
  });

  await test.step("their own conversation with the same client is another one, drafts and all", async () => {
    await ravis.field(client.name).fill("For Ira's");
    await ravis.begin(client.name);
    await expect(ravis.field(client.name)).toHaveValue("");
    await ravis.send(client.name, "Hello from me");
    await expect(ravis.message("Hello from me").getByRole("img", { name: "Sent" })).toBeVisible();
    await expect(ravis.message("On Thursday at ten")).toHaveCount(0);
    await ravis.line(/you cover for Ira Desk/).click();
    await expect(ravis.field(client.name)).toHaveValue("For Ira's");
    await expect(ravis.message("Hello from me")).toHaveCount(0);
  });

  await test.step("taken back, the client reads no cover, and who covered has it no more", async () => {
    await page.getByRole("button", { name: "Take back" }).press("Enter");
    await expect(iras.field(client.name)).toBeEditable();
    await expect(page.getByRole("heading", { level: 2, name: client.name })).toBeFocused();
    await expect(clientPage.getByText(/^Ravi Stand covers/)).toHaveCount(0);
    await expect(ravis.line(/you cover for Ira Desk/)).toHaveCount(0);
    await expect(ravis.line(/^Tara Jetty/)).toHaveCount(1);
    const left = raviPage.getByRole("region", { name: "Not sent" });
    await expect(left).toContainText("For Ira's");
    await left.getByRole("button", { name: "Delete" }).press("Enter");
    await expect(raviPage.getByRole("button", { name: "All conversations" })).toBeFocused();
  });

  const manages = [ira.id];
  const jetty = await createProject(admin, { title: "Jetty lights", managers: manages, assignedTo: manages });
  const task = { projectId: jetty.id, title: "Change the bulbs", description: "All.", assignedTo: manages };
  await admin.tasks.create.mutate(task);
  await test.step("whoever deactivates its admin sees what they hold, and hands each over", async () => {
    // In the browser that was Ira's.
    const asha = page;
    await openAs(asha, { email: "asha@sangam.example", path: "/admin/users" });
    await new UsersPage(asha).choose(ira.name, "Deactivate");
    const question = asha.getByRole("alertdialog", { name: "Deactivate user" });
    const heir = question.getByRole("combobox", { name: "Who takes over: 1 conversation" });
    await heir.selectOption(ravi.name);
    for (const part of ["1 open task", "Manages 1 project"])
      await question.getByRole("combobox", { name: `Who takes over: ${part}` }).selectOption("Mitali Deshpande");
    await expectAccessible(asha, question);
    // Refused, it is still chosen, and nobody is deactivated without it.
    await asha.route("**/api/trpc/users.handOverAll*", (route) => route.abort(), { times: 1 });
    await question.getByRole("button", { name: "Deactivate" }).click();
    await expect(asha.getByText("Failed to hand over everything. Nothing else was changed.")).toBeVisible();
    await expect(question.getByRole("button", { name: "Deactivate" })).toBeEnabled();
    await expect(heir.locator("option:checked")).toHaveText(ravi.name);
    await question.getByRole("button", { name: "Deactivate" }).click();
    await expect(question).toBeHidden();
    await expect(clientPage.getByText("Ravi Stand covers", { exact: true })).toBeVisible();
    await expect(ravis.line(/you cover for Ira Desk/)).toBeVisible();
    const mitali = [await personId(admin, "Mitali Deshpande")];
    expect(await admin.projects.byId.query({ projectId: jetty.id })).toMatchObject({ managers: mitali });
    expect(await admin.tasks.list.query({ projectId: jetty.id })).toMatchObject([{ assignedTo: mitali }]);
    await goInApp(asha, "/admin/messages");
    const left = asha.getByRole("region", { name: "Of inactive and former admins" });
    const end = left.getByRole("button", { name: "End cover of Tara Jetty with Ira Desk" });
    await end.click();
    await expect(left.getByRole("button", { name: "Hand over Tara Jetty with Ira Desk" })).toBeVisible();
    await expect(ravis.line(/you cover for Ira Desk/)).toHaveCount(0);
    // What happens elsewhere shows too, though this admin takes no part in the conversation.
    await admin.chat.handOver.mutate({ conversationId, toUserId: ravi.id });
    await expect(end).toBeVisible();
    await admin.chat.takeBack.mutate({ conversationId });
    await expect(end).toHaveCount(0);
  });
  await test.step("however many there are, their own conversations stay in view", async () => {
    await writeRows(server, (db) => insertAccountsWritingTo(db, { userId: ira.id, count: 14 }));
    const own = page.getByRole("navigation", { name: "Conversations" });
    await page.goto("/admin/messages");
    for (const [width, height] of [
      [1280, 800],
      [360, 780],
    ] as const) {
      await page.setViewportSize({ width, height });
      await expect(page.getByRole("button", { name: /^Hand over .* with Ira Desk$/ })).toHaveCount(15);
      await expect(own.getByRole("link").first()).toBeInViewport({ ratio: 1 });
      expect((await own.boundingBox())?.height).toBeGreaterThan(200);
    }
    await expectAccessible(page, page.getByRole("region", { name: "Of inactive and former admins" }));
  });
});
