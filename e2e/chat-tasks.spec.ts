import { expect, expectAccessible, test } from "./fixtures";
import { authenticate } from "./pages/account";
import { Chat, startConversation } from "./pages/chat";
import { insertPerson } from "./people";
import { createProject } from "./projects";

test("a message becomes a task: both sides see how far it is, and that it is completed", async ({
  page,
  openContext,
  server,
  admin,
}) => {
  const text = "The tide table of the north quay is an hour late.";
  const client = await insertPerson(server, { name: "Tara Quay", as: "client" });
  const project = await createProject(admin, { title: "North quay", clientId: client.id });
  const clientPage = await (await openContext()).newPage();
  await authenticate(clientPage, client.email, client.password);
  const conversationId = await startConversation(clientPage, "Asha Kulkarni", text);
  await authenticate(page, "asha@sangam.example");
  await clientPage.goto(`/client/messages/${conversationId}`);
  await page.goto(`/admin/messages/${conversationId}`);
  const [asha, tara] = [new Chat(page).message(text), new Chat(clientPage).message(text)];

  await test.step("from the message's menu, by the keyboard", async () => {
    await asha.getByRole("button", { name: "Message actions" }).press("Enter");
    await expect(page.getByRole("menuitem", { name: "Make a task…" })).toBeFocused();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Make a task" });
    await expect(dialog.getByRole("textbox", { name: "Title" })).toHaveValue(text);
    // The projects of the one who wrote it come first.
    await expect(dialog.getByRole("combobox", { name: "Project" })).toHaveValue(project.id);
    await expectAccessible(page, dialog);
    await dialog.getByRole("textbox", { name: "Title" }).fill("Mend the tide table");
    await dialog.getByRole("button", { name: "Create task" }).click();
    await expect(dialog).toBeHidden();
  });

  await test.step("its chip is there for both, follows the task, and leads to its page", async () => {
    for (const message of [asha, tara]) {
      await expect(message.getByRole("link", { name: /^[A-Z]{2,5}\d*-\d+ · To Do$/ })).toBeVisible();
      await expect(message.getByRole("button", { name: "Message actions" })).toHaveCount(0);
    }
    await asha.getByRole("link", { name: /· To Do$/ }).click();
    const sheet = page.getByRole("dialog", { name: /Mend the tide table/ });
    await sheet.getByRole("combobox", { name: "Status" }).selectOption("inProgress");
    await expect(tara.getByRole("link", { name: /· In Progress$/ })).toBeVisible();
    await tara.getByRole("link", { name: /· In Progress$/ }).click();
    await expect(clientPage.getByRole("dialog", { name: /Mend the tide table/ })).toContainText(text);
    await clientPage.keyboard.press("Escape");
    await sheet.getByRole("combobox", { name: "Status" }).selectOption("completed");
  });

  await test.step("the conversation says so once it is completed", async () => {
    await page.keyboard.press("Escape");
    for (const chat of [new Chat(page), new Chat(clientPage)]) {
      await expect(chat.message(text).getByRole("link", { name: /· Completed$/ })).toBeVisible();
      await expect(chat.message("is completed: Mend the tide table")).toBeVisible();
      await expect(chat.message("is completed: Mend the tide table").getByRole("button")).toHaveCount(0);
    }
    await expectAccessible(page, new Chat(page).message("is completed: Mend the tide table"));
    await expect(new Chat(page).line(/^Tara Quay, client, last message [A-Z]{2,5}\d*-\d+ is completed/)).toBeVisible();
    await expect(clientPage.getByRole("link", { name: "Messages", exact: true })).toBeVisible();
  });

  await test.step("where they may, the client makes a request of a message, and both sides find it from there", async () => {
    const { version } = await admin.projects.byId.query({ projectId: project.id });
    await admin.projects.update.mutate({ projectId: project.id, version, patch: { clientCollaboration: true } });
    const wish = "Could the table show the moon?";
    const chat = new Chat(clientPage);
    await chat.send("Asha Kulkarni", wish);
    await chat.message(wish).getByRole("button", { name: "Message actions" }).press("Enter");
    await clientPage.getByRole("menuitem", { name: "Make a request…" }).press("Enter");
    const dialog = clientPage.getByRole("dialog", { name: "New request" });
    await expect(dialog.getByRole("textbox", { name: "What do you need?" })).toHaveValue(wish);
    await dialog.getByRole("textbox", { name: "Title" }).fill("The moon in the table");
    await dialog.getByRole("button", { name: "Send request" }).click();
    await expect(dialog).toBeHidden();
    await clientPage.getByRole("navigation").getByRole("link", { name: "Requests" }).first().click();
    await clientPage.getByRole("link", { name: /The moon in the table/ }).click();
    await clientPage.getByRole("link", { name: "From a message" }).click();
    await expect(chat.message(wish)).toBeVisible();
  });
});
