import { SIGN_OFF_MESSAGES } from "../server/contract/messages/sign-offs";
import { api } from "./api";
import { expect, expectAccessible, expectAccessibleEverywhere, goInApp, pressWhile, test } from "./fixtures";
import { authenticate, DEMO_PASSWORD, submitLogin } from "./pages/account";
import { expectDocument } from "./paper";
import { personId } from "./people";
import { addProject } from "./projects";
import { hold, watchCalls } from "./traffic";

test("the client signs what they saw, and both sides read what has changed since", async ({
  page,
  openContext,
  admin,
}) => {
  const project = await addProject(admin, "Quay sign-off");
  const kabir = await personId(admin, "Kabir Anand");
  const patch = { clientCollaboration: true, clientPeople: [kabir] };
  await admin.projects.update.mutate({ projectId: project.id, version: 1, patch });
  const [first, second] = await admin.tasks.list.query({ projectId: project.id });
  if (!first || !second) throw new Error("the project has no two tasks");
  const rename = (title: string) => admin.tasks.update.mutate({ taskId: first.id, patch: { title } });
  await authenticate(page, "mitali@sangam.example");
  const text = Array.from({ length: 12 }, (_, line) => `Berth ${line + 1} is done.`).join("\n");
  await admin.statusUpdates.send.mutate({ projectId: project.id, health: "on-track", text });
  const updatesAnswer = hold();
  await page.route(/statusUpdates\.list/, updatesAnswer.handler);
  const updatesAreRead = watchCalls(page, "statusUpdates.list");
  const tasksAnswer = hold();
  await page.route(/tasks\.list/, tasksAnswer.handler);
  await page.goto(`/dashboard/inbox?modal=view&project=${project.id}`);
  const section = page.getByRole("dialog", { name: project.title }).getByRole("region", { name: "Sign-offs" });

  await test.step("a manager asks one of the client's people for chosen tasks", async () => {
    // What comes above it while it is pressed waits for the click.
    await pressWhile(section.getByRole("button", { name: "Ask for sign-off" }), async () => {
      updatesAnswer.release();
      await updatesAreRead();
    });
    await expect(page.getByText("Berth 12 is done.")).toBeVisible();
    await expect(section.getByRole("combobox", { name: "What is signed" })).toBeFocused();
    const signer = section.getByRole("combobox", { name: "Who signs" });
    await expect(signer.getByRole("option")).toHaveText(["Meera Rao", "Kabir Anand"]);
    await expect(signer.locator("option:checked")).toHaveText("Meera Rao");
    await signer.selectOption("Kabir Anand");
    await section.getByRole("combobox", { name: "What is signed" }).selectOption("Chosen tasks");
    await expect(section.getByText("Loading tasks")).toBeAttached();
    tasksAnswer.release();
    await expect(section.getByRole("checkbox", { name: first.title })).toBeVisible();
    await section.getByRole("button", { name: "Ask", exact: true }).press("Enter");
    await expect(section.getByRole("checkbox", { name: first.title })).toBeFocused();
    await expect(section.getByRole("group", { name: "Tasks" })).toHaveAccessibleDescription(
      SIGN_OFF_MESSAGES.chooseTasks,
    );
    await section.getByRole("checkbox", { name: first.title }).check();
    // One that is deleted meanwhile stands in nobody's way.
    await section.getByRole("checkbox", { name: second.title }).check();
    await admin.tasks.delete.mutate({ taskId: second.id });
    await expect(section.getByRole("checkbox", { name: second.title })).toHaveCount(0);
    await section.getByRole("textbox", { name: "Question" }).fill("Please sign off the quay.");
    await expectAccessible(page, section);
    await section.getByRole("button", { name: "Ask", exact: true }).click();
    await expect(section.getByRole("link", { name: "1 task" })).toBeVisible();
  });

  const [asked] = await admin.signOffs.list.query({ projectId: project.id });
  if (!asked) throw new Error("nothing was asked");
  const client = await (await openContext()).newPage();
  const kept = client.getByLabel("What you typed is still here");

  await test.step("the address opens after signing in", async () => {
    await client.goto(`/sign-offs/${asked.id}`);
    await expect(client.getByRole("heading", { name: "Log In" })).toBeVisible();
    await submitLogin(client, "kabir@sangam.example", DEMO_PASSWORD);
    await expect(client.getByRole("heading", { name: `Sign-off: ${project.title}` })).toBeVisible();
    await expect(client.getByText("Please sign off the quay.")).toBeVisible();
    await expectAccessibleEverywhere(client);
  });

  await test.step("the bell counts and lists what is new there too, and leads to the client's own inbox", async () => {
    await client.getByRole("button", { name: /^Notifications, \d+ unread$/ }).press("Enter");
    await expect(client.getByRole("menuitem", { name: `${project.title} Mitali Deshpande asked you` })).toBeVisible();
    await client.getByRole("menuitem", { name: "Open inbox" }).press("Enter");
    await expect(client).toHaveURL(/\/client\/inbox$/);
    await expect(client.getByRole("heading", { level: 1, name: "Inbox" })).toBeVisible();
  });

  await test.step("a notification leads to it", async () => {
    await goInApp(client, "/client");
    const card = client.getByRole("article", { name: `Sign-off: ${project.title}` });
    await expect(client.getByRole("article", { name: project.title, exact: true })).toBeVisible();
    await expect(card.getByRole("link", { name: `Request changes, ${project.title}` })).toBeVisible();
    await client.getByRole("button", { name: /^Notifications/ }).click();
    await client.getByRole("menuitem", { name: `${project.title} Mitali Deshpande asked you` }).click();
    await expect(client.getByRole("heading", { name: `Sign-off: ${project.title}` })).toBeVisible();
    await expect(client.getByRole("row", { name: new RegExp(first.title) })).toBeVisible();
  });

  await test.step("the field for what needs to change takes the focus of its button, and Cancel gives it back", async () => {
    const request = client.getByRole("button", { name: "Request changes" });
    await request.press("Enter");
    await expect(client.getByRole("textbox", { name: "What needs to change?" })).toBeFocused();
    await client.getByRole("button", { name: "Cancel" }).press("Enter");
    await expect(request).toBeFocused();
  });

  await test.step("work that changes meanwhile is not signed unseen, and what cannot be shown is said", async () => {
    await client.getByRole("button", { name: "Approve" }).click();
    const dialog = client.getByRole("alertdialog", { name: "Approve" });
    await rename("Bollards, primed");
    await expect(client.getByText("The work has changed since you opened this page:")).toBeAttached();
    await client.route("**/api/trpc/signOffs.byId**", (route) =>
      route.continue({ url: route.request().url().replace(asked.id, "none") }),
    );
    await dialog.getByRole("button", { name: "Approve" }).click();
    await expect(client.getByText(SIGN_OFF_MESSAGES.approveFailed)).toBeVisible();
    await expect(dialog).toHaveCount(0);
    await client.unroute("**/api/trpc/signOffs.byId**");
    await client.getByRole("button", { name: "Approve" }).click();
    await rename("Bollards, painted");
    await dialog.getByRole("button", { name: "Approve" }).click();
    const changed = client.getByRole("alertdialog", { name: "The work has changed" });
    await expect(changed.getByRole("listitem")).toContainText("now called “Bollards, painted”");
    await expectAccessible(client, changed);
    await changed.getByRole("button", { name: "Approve as it is now" }).click();
    await expect(client.getByRole("region", { name: "Signature" })).toContainText("Approved by Kabir Anand");
    await expect(client.getByRole("button", { name: "Approve" })).toHaveCount(0);
    await expect(client.getByRole("region", { name: "Signature" })).toBeFocused();
  });

  await test.step("what changes after that is shown beside what was signed", async () => {
    await section.getByRole("link", { name: "1 task" }).click();
    await expect(page.getByRole("region", { name: "Signature" })).toBeVisible();
    await rename("Bollards, in red");
    for (const reader of [page, client])
      await expect(reader.getByRole("region", { name: "Changed after approval" })).toContainText(
        "now called “Bollards, in red”",
      );
    await expect(page.getByRole("row", { name: /Bollards, painted/ })).toBeVisible();
    await expectAccessible(page, page.getByRole("main"));
  });

  await test.step("what is sent back is the firm's turn: it waits on the manager's page, and the client reads that it is worked on", async () => {
    const { id: signOffId } = await admin.signOffs.ask.mutate({
      projectId: project.id,
      all: true,
      note: "And now?",
      signerId: kabir,
    });
    await goInApp(client, `/sign-offs/${signOffId}#request-changes`);
    await client.getByRole("textbox", { name: "What needs to change?" }).fill("The bollards are to be green.");
    await client.getByRole("button", { name: "Request changes" }).press("Enter");
    await expect(client.getByRole("region", { name: "Signature" })).toBeFocused();
    await expect(kept).toHaveCount(0);
    await goInApp(page, "/dashboard");
    const waiting = page.getByRole("region", { name: "Waiting for us" });
    const sentBack = waiting.getByRole("link", { name: /Kabir Anand.*The bollards are to be green/ });
    // The newest stands last: what other tests have left may come before it.
    await expect(async () => {
      const rest = waiting.getByRole("button", { name: /^Show all/ });
      if (await rest.isVisible()) await rest.click();
      await expect(sentBack).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await sentBack.click();
    await expect(waiting).toHaveCount(0);
    // With how long, within business hours.
    await expect(page.getByText(/^Waiting for us( · |$)/)).toBeVisible();
    await expect(client.getByText("We are working on it")).toBeVisible();
    await expectAccessible(client, client.getByRole("main"));
  });

  await test.step("who withdraws a question is led to where that stands, and the client keeps what they were typing", async () => {
    const { id } = await admin.signOffs.ask.mutate({
      projectId: project.id,
      all: true,
      note: "Never mind.",
      signerId: kabir,
    });
    await goInApp(client, `/sign-offs/${id}#request-changes`);
    await client.getByRole("textbox", { name: "What needs to change?" }).fill("The quay is wet.");
    await goInApp(page, `/sign-offs/${id}`);
    await page.getByRole("button", { name: "Withdraw" }).press("Enter");
    await page.getByRole("alertdialog").getByRole("button", { name: "Withdraw" }).press("Enter");
    await expect(page.getByRole("region", { name: "Signature" })).toBeFocused();
    await expect(kept).toHaveValue("The quay is wet.");
    await client.getByRole("button", { name: "Discard" }).click();
    await expect(kept).toHaveCount(0);
  });

  await test.step("it prints as a document", async () => {
    await client.emulateMedia({ media: "print" });
    await expect(client.getByRole("button", { name: "Print" })).toBeHidden();
    await expect(client.getByRole("region", { name: "Signature" })).toBeVisible();
    await expectDocument(client);
  });

  await test.step("what was signed is found in the portal once its project is gone", async () => {
    await client.emulateMedia({ media: null });
    await admin.projects.delete.mutate({ projectId: project.id });
    await goInApp(client, "/client");
    await client.getByRole("region", { name: "Signed earlier" }).getByRole("link", { name: project.title }).click();
    await expect(client.getByRole("region", { name: "Signature" })).toContainText("Approved by Kabir Anand");
  });

  const signed = (await api(client).signOffs.list.query({ projectId: project.id, status: "approved" }))[0];
  expect(signed?.record.tasks[0]?.title).toBe("Bollards, painted");
});
