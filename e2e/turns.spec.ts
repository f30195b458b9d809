import { api, askAgain } from "./api";
import { expect, expectAccessible, goInApp, test } from "./fixtures";
import { authenticate } from "./pages/account";
import { insertPerson } from "./people";
import { createProject } from "./projects";
import { watchCalls } from "./traffic";

test("a client reads by when they are answered, the firm what waits for it, and both what happened since", async ({
  page,
  server,
  admin,
  openContext,
  consoleGuard,
}) => {
  const client = await insertPerson(server, { name: "Nandini Bose", as: "client" });
  const firm = await insertPerson(server, { name: "Omkar Joshi", as: "admin" });
  const project = await createProject(admin, { title: "Ferry timetable", clientId: client.id });
  const tasks = await Promise.all(
    ["Winter timetable", "Berth plan"].map((title) =>
      admin.tasks.create.mutate({ projectId: project.id, title, description: "What to do." }),
    ),
  );

  // A first visit has nothing to look back at.
  await authenticate(page, client.email, client.password);
  await page.goto("/client");
  await expect(page.getByRole("heading", { name: "Ferry timetable" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Mark as seen" })).toHaveCount(0);

  const desk = await (await openContext()).newPage();
  await authenticate(desk, firm.email, firm.password);
  await test.step("that it can't be read what waits looks like a failure, not like nothing", async () => {
    consoleGuard.allow(/Failed to load resource/);
    await desk.route(/overview\.waiting/, (route) => route.abort());
    await desk.goto("/admin");
    await expect(desk.getByRole("heading", { name: "All Projects" })).toBeVisible();
    const failure = desk.getByRole("alert").filter({ hasText: "What is waiting for us could not be loaded." });
    await expect(failure).toBeVisible();
    await desk.unroute(/overview\.waiting/);
    await failure.getByRole("button", { name: "Retry" }).click();
    await expect(failure).toHaveCount(0);
  });

  // The client writes: a promise for them, work for the firm, as it happens.
  await api(page).chat.start.mutate({
    recipientId: firm.id,
    text: "Does the last ferry wait?",
    clientMessageId: crypto.randomUUID(),
  });
  const waiting = desk.getByRole("region", { name: "Waiting for us" });
  const question = waiting.getByRole("link", { name: /Nandini Bose.*Does the last ferry wait/ });
  // The newest stands last: what other tests have left may come before it.
  const rest = waiting.getByRole("button", { name: /^Show all/ });
  await expect(question.or(rest).first()).toBeVisible();
  if (await rest.isVisible()) {
    await rest.press("Enter");
    await expect(waiting.getByRole("link").nth(4)).toBeFocused();
  }
  await expect(question).toBeVisible();
  await expectAccessible(desk, waiting);
  await goInApp(page, "/client/messages");
  const ownLine = page.getByRole("navigation", { name: "Conversations" }).getByRole("link", { name: /Omkar Joshi/ });
  await expect(ownLine).toContainText(/We answer by/);
  await ownLine.click();
  const ownTalk = page.getByRole("region", { name: "Omkar Joshi", exact: true });
  await expect(ownTalk.getByText(/We answer by/).filter({ visible: true })).toBeVisible();
  await expectAccessible(page, ownTalk);
  await expectAccessible(page, ownLine);

  // No reply needed: nobody owes anything, for either.
  await question.click();
  const talk = desk.getByRole("region", { name: "Nandini Bose" });
  await expect(talk.getByText(/^Waiting for us/).filter({ visible: true })).toBeVisible();
  await talk.getByRole("button", { name: "No reply needed" }).press("Enter");
  await expect(talk.getByRole("heading", { level: 2, name: "Nandini Bose" })).toBeFocused();
  await expect(talk.getByText(/^Waiting for us/)).toHaveCount(0);
  await expect(page.getByText(/We answer by/)).toHaveCount(0);

  // An answer is the client's turn, of which they are not told as of a debt.
  await talk.getByRole("textbox", { name: /Message/ }).fill("It does, until seven.");
  await talk.getByRole("button", { name: "Send" }).click();
  await expect(talk.getByText(/^Waiting for Nandini/).filter({ visible: true })).toBeVisible();
  await expect(page.getByText("It does, until seven.").first()).toBeVisible();
  await expect(page.getByText(/Waiting for/)).toHaveCount(0);

  for (const { id: taskId } of tasks) await admin.tasks.setCompleted.mutate({ taskId, completed: true });
  await test.step("the document itself says what happened, so that it is read with the first paint", async () => {
    const drawn = async () => (await page.request.get("/client")).text();
    await expect(async () => expect(await drawn()).toContain("2 tasks finished")).toPass();
  });
  await goInApp(page, "/client");
  // On a quick machine the first visit's answer is still fresh.
  await askAgain(page, "overview.sinceLastVisit");
  await expect(page.getByRole("link", { name: "1 message" })).toBeVisible();
  await page.getByRole("link", { name: "2 tasks finished" }).click();
  const list = page.getByRole("dialog", { name: /^2 tasks finished since/ });
  await expect(list.getByRole("link")).toHaveText(["Berth plan", "Winter timetable"]);
  await expectAccessible(page, list);
  await page.keyboard.press("Escape");
  await expect(list).toBeHidden();

  const seen = watchCalls(page, "overview.markSeen");
  await page.getByRole("button", { name: "Mark as seen" }).click();
  await expect(page.getByRole("link", { name: "2 tasks finished" })).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await seen();
  const read = watchCalls(page, "overview.sinceLastVisit");
  await askAgain(page, "overview.sinceLastVisit");
  await read();
  await expect(page.getByRole("heading", { name: "Ferry timetable" })).toBeVisible();
  await expect(page.getByRole("link", { name: /tasks? finished/ })).toHaveCount(0);
});
