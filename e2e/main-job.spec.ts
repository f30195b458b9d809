import { MESSAGES } from "../server/contract/messages";
import { expect, MOTION, test } from "./fixtures";
import { signIn, signUp, submitLogin } from "./pages/account";
import { Board } from "./pages/board";

// As most people see it.
test.use(MOTION);

test("the main job: from sign-up to a ticked task that another person, the client and no stranger sees", async ({
  page,
  openContext,
}) => {
  const person = {
    name: "Nandini Gokhale",
    email: "nandini@firm.example",
    mobile: "+91 98200 12345",
    password: "monsoon-24",
  };
  const title = "Monsoon road survey";
  // The admin, then the client, then the stranger.
  const others = await (await openContext()).newPage();

  await test.step("a visitor signs up and is told that an admin must approve", async () => {
    await signUp(page, person);
    await expect(page.getByRole("alertdialog").or(page.getByRole("dialog"))).toContainText(MESSAGES.auth.signUpDone);
    await page.getByRole("button", { name: "Go to login" }).click();
    await expect(page).toHaveURL(/\/login$/);
    await expect(page.getByLabel("Email")).toHaveValue(person.email);
    await submitLogin(page, person.email, person.password);
    await expect(page.getByRole("alert")).toHaveText(MESSAGES.auth.pending);
    await expect(page).toHaveURL(/\/login$/);
  });

  await test.step("an admin approves", async () => {
    await signIn(others, "asha@sangam.example");
    await expect(others).toHaveURL(/\/admin/);
    await others
      .getByRole("navigation", { name: "Main" })
      .getByRole("link", { name: /^Users/ })
      .click();
    const row = others.getByRole("row", { name: /Nandini Gokhale/ });
    await expect(row).toContainText(person.email);
    await others.getByLabel("Account type for Nandini Gokhale").selectOption({ label: "User" });
    await row.getByRole("button", { name: "Approve" }).click();
    await expect(others.getByText(MESSAGES.users.approved("user"))).toBeVisible();
    await expect(row).toBeHidden();
  });

  const rohan = await (await openContext()).newPage();
  const board = new Board(page);
  const rohansBoard = new Board(rohan);
  await signIn(rohan, "rohan@sangam.example");
  await expect(rohansBoard.card("Kartavya geofence tuning")).toBeVisible();

  await test.step("the person signs in and creates a project with an assigned person and a client", async () => {
    await submitLogin(page, person.email, person.password);
    await expect(page).toHaveURL(/\/dashboard/);
    await expect(page.getByRole("heading", { level: 1, name: "Projects Board" })).toBeVisible();
    await board.create({
      title,
      description: "Photo survey of 42 village roads.",
      assign: ["Rohan"],
      client: "Meera Rao",
      clientPeople: ["Kabir Anand"],
    });
    await expect(board.card(title)).toContainText("Meera Rao+1 and one colleague");
  });

  await test.step("another involved person sees it appear, its task and the tick, without a reload", async () => {
    await rohan.evaluate(() => {
      document.body.dataset.neverReloaded = "yes";
    });
    await expect(rohansBoard.card(title)).toBeVisible();
    const rohansPanel = await rohansBoard.openPanel(title);
    await expect(rohansPanel).toContainText("No tasks found for this project");
    const panel = await board.openPanel(title);
    await expect(panel).toContainText("No tasks found for this project");
    // What is changed travels in the events, and in the answer to who changes it.
    const reads: string[] = [];
    const connections: string[] = [];
    for (const seen of [page, rohan]) {
      seen.on("websocket", (socket) => connections.push(socket.url()));
      seen.on("request", (request) => {
        if (/(tasks|projects)\.(list|mine|byId)/.test(request.url())) reads.push(request.url());
      });
    }
    await board.addTask(panel, { title: "Capture form", description: "Works without network." });
    await expect(rohansPanel.getByRole("checkbox", { name: "Capture form" })).not.toBeChecked();
    await panel.getByRole("checkbox", { name: "Capture form" }).check();
    await expect(rohansPanel.getByRole("checkbox", { name: "Capture form" })).toBeChecked();
    await expect(rohansBoard.card(title)).toContainText("1 of 1 tasks done");
    // On a machine that stood still for seconds a connection is made again, and reads everything.
    if (connections.length === 0) expect(reads).toEqual([]);
    expect(await rohan.evaluate(() => document.body.dataset.neverReloaded)).toBe("yes");
  });

  await test.step("the client reads the project and can change nothing", async () => {
    const client = others;
    await signIn(client, "meera@sangam.example");
    await expect(client).toHaveURL(/\/client/);
    const project = client.getByRole("article").filter({ has: client.getByRole("heading", { name: title }) });
    await project.getByRole("button", { name: /Show Details/ }).click();
    await expect(project).toContainText("Capture form");
    await expect(project).toContainText("Rohan Shah");
    await expect(project).toContainText("Kabir Anand");
    await expect(client.getByRole("checkbox")).toHaveCount(0);
    await expect(client.getByRole("button", { name: /Edit|Delete|Add|New/ })).toHaveCount(0);
    const refused = await client.evaluate(async () => {
      const answer = await fetch("/api/trpc/projects.create", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ json: {} }),
      });
      return answer.status;
    });
    expect(refused).toBe(403);
  });

  await test.step("a stranger sees nothing, also with the address of the panel", async () => {
    const stranger = others;
    await signIn(stranger, "sanjay@sangam.example");
    await expect(
      new Board(stranger).card("Seed catalogue").or(stranger.getByRole("tab").first()).first(),
    ).toBeVisible();
    await expect(stranger.getByText(title)).toHaveCount(0);
    const panelAddress = new URL(page.url()).search;
    await stranger.goto(`/dashboard${panelAddress}`);
    await expect(stranger.getByText("Project not available")).toBeVisible();
    await expect(stranger.getByText(title)).toHaveCount(0);
  });
});
