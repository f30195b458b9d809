import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type TOTP, URI } from "otpauth";
import { MESSAGES } from "../server/contract/messages";
import { api } from "./api";
import { test as base, expect, expectAccessible, expectFits } from "./fixtures";
import { IS_LONG_FORM } from "./long-form";
import { authenticate, openAs, signIn } from "./pages/account";
import { addPerson } from "./people";
import { createProject } from "./projects";
import { disposeServer, startServer, type TestServer } from "./server";
import { Traffic } from "./traffic";

const DEMO_ADMIN = { email: "asha@sangam.example", password: "sangam-demo" };
const ADMIN = { email: "boss@firm.example", password: "first-of-all-1", name: "Boss Of All" };

/** An organisation without the demo, with its first admin from the environment. */
const test = base.extend<object, object>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from the pattern.
    async ({}, use) => {
      const server = await startServer({
        DEMO: "0",
        ADMIN_EMAIL: ADMIN.email,
        ADMIN_PASSWORD: ADMIN.password,
        ADMIN_NAME: ADMIN.name,
      });
      await use(server);
      await disposeServer(server);
    },
    { scope: "worker", timeout: 180_000 },
  ],
});

test("an empty organisation without demo accounts leads its first admin; done steps disappear, and the rest can be hidden", async ({
  page,
  server,
}) => {
  await test.step("the demo's accounts answer like a wrong password", async () => {
    const answer = await post(server, "auth.signIn", { ...DEMO_ADMIN, rememberMe: true });
    expect(answer.status).toBe(401);
    expect(await answer.text()).toContain(MESSAGES.auth.signInFailed);
  });
  await signIn(page, ADMIN.email, ADMIN.password);
  await expect(page).toHaveURL(/\/admin/);
  const greeting = page.getByRole("region", { name: "Welcome, Boss Of All" });
  const steps = greeting.getByRole("heading", { level: 3 });
  await expect(steps).toHaveText([
    "Email settings",
    "Invite people",
    "Approve people",
    "Create the first project",
    "Add a repository token",
  ]);
  await expect(greeting.getByText(/\/signup$/)).toBeVisible();
  await expectAccessible(page, greeting);
  await greeting.getByRole("button", { name: "Create a project" }).click();
  await expect(page.getByRole("dialog", { name: "Create New Project" })).toBeVisible();
  await page.keyboard.press("Escape");

  const admin = api(page);
  const { email } = await addPerson(admin, { name: "First Colleague", as: "pending" });
  await expect(greeting.getByRole("link", { name: "Review 1 sign-up" })).toBeVisible();
  await createProject(admin, { title: "First of all" });
  await expect(steps).toHaveText(["Email settings", "Invite people", "Approve people", "Add a repository token"]);
  const [colleague] = (await admin.users.list.query({ status: "pending", q: email })).items;
  await admin.users.approve.mutate({ userId: colleague?.id ?? "", accountType: "user" });
  await expect(steps).toHaveText(["Email settings", "Add a repository token"]);
  await greeting.getByRole("link", { name: "Add a token" }).click();
  await expect(page.getByRole("heading", { level: 2, name: "Repository token" })).toBeFocused();
  await page.goBack();
  await greeting.getByRole("button", { name: "Hide these steps" }).click();
  await expect(greeting).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await page.reload();
  await expect(page.getByText("First of all")).toBeVisible();
  await expect(greeting).toHaveCount(0);
});

test("once two-factor sign-in is required of admins, one without it is led to set it up, and back", async ({
  page,
  openContext,
}) => {
  await authenticate(page, ADMIN.email, ADMIN.password);
  const boss = api(page);
  const [first, second] = [
    await addPerson(boss, { name: "Anu With It", as: "admin" }),
    await addPerson(boss, { name: "Dev Without It", as: "admin" }),
  ];
  await page.context().clearCookies();
  await openAs(page, { ...first, path: "/admin/settings" });
  const form = page.getByRole("form", { name: "Organisation" });
  const requirement = form.getByLabel("Require two-factor sign-in for admins");
  await requirement.check();
  await form.getByLabel("Time zone").fill("Asia/Kolkata");
  await form.getByRole("button", { name: "Save Settings" }).click();
  await expect(form.getByRole("alert")).toContainText(MESSAGES.organisation.setUpFirst);
  await expect(form.getByLabel("Time zone")).toHaveValue("Asia/Kolkata");

  const { uri, recoveryCodes } = await api(page).auth.enableTwoFactor.mutate({ password: first.password });
  await api(page).auth.confirmTwoFactor.mutate({ code: (URI.parse(uri) as TOTP).generate() });
  const other = await (await openContext()).newPage();
  const traffic = new Traffic(other);
  await authenticate(other, second.email, second.password);
  await other.goto("/admin/users");
  await expect(other.getByRole("heading", { level: 1, name: "Users Management" })).toBeVisible();
  await traffic.settled();
  const transition = (type: string) =>
    other.evaluate((name) => window.dispatchEvent(new PageTransitionEvent(name, { persisted: true })), type);
  await transition("pagehide");
  try {
    const { businessHours } = await api(page).organisation.get.query();
    await api(page).organisation.update.mutate({ businessHours: { ...businessHours, to: "19:45" } });
    const holidays = form.getByLabel("Holidays");
    await holidays.fill("2026-12-25");
    let release = (): void => undefined;
    const isTyped = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/api/trpc/organisation.update*", (route) => isTyped.then(() => route.continue()), { times: 1 });
    await form.getByRole("button", { name: "Save Settings" }).click();
    await holidays.fill("2026-12-25\n2027-01-01");
    release();
    await expect(page.getByText(MESSAGES.organisation.saved)).toBeVisible();
    await expect(form.getByLabel("To", { exact: true }), "what another admin has set meanwhile").toHaveValue("19:45");
    await expect(holidays, "what was typed while it was saved").toHaveValue("2026-12-25\n2027-01-01");
    const saved = await api(page).organisation.get.query();
    expect(saved).toMatchObject({ timeZone: "Asia/Kolkata", holidays: ["2026-12-25"] });
    expect(saved.businessHours.to).toBe("19:45");
    await transition("pageshow");
    await expect(other, "a page that the browser has kept").toHaveURL(/\/two-factor\?redirect=/);
    await expect(other.getByLabel("Your password")).toBeVisible();
    const beside = await other.context().newPage();
    await beside.goto("/admin/users");
    await expect(beside).toHaveURL(/\/two-factor\?redirect=/);
    await expectAccessible(other);
    await other.getByLabel("Your password").fill(second.password);
    await other.keyboard.press("Enter");
    await expect(other.getByRole("heading", { name: "1. Add Sangam to your app" })).toBeFocused();
    await expectFits(other, 360, 1280);
    const secret = (await other.locator("code").innerText()).replaceAll(" ", "");
    const app = URI.parse(`otpauth://totp/Sangam?secret=${secret}`) as TOTP;
    await other.getByLabel("Code", { exact: true }).fill(app.generate());
    await other.keyboard.press("Enter");
    await expect(other).toHaveURL(/\/admin\/users/);
    await expect(other.getByRole("heading", { level: 1, name: "Users Management" })).toBeVisible();
    await beside.getByLabel("Your password").fill(second.password);
    await beside.keyboard.press("Enter");
    await expect(beside, "another tab, in which nothing is left to set up").toHaveURL(/^[^?]*\/admin\/users/);
  } finally {
    await api(page).organisation.update.mutate({ requireTwoFactorForAdmins: false });
    await api(page).auth.disableTwoFactor.mutate({ password: first.password, code: recoveryCodes[0] ?? "" });
  }
});

test("what keeps a server from starting is told in a sentence that says what to do, without any secret", async ({
  server,
}) => {
  const failToStart = (settings: Record<string, string>) => {
    const { status, stderr } = spawnSync(process.execPath, ["dist-server/main.mjs"], {
      encoding: "utf8",
      env: { PATH: process.env.PATH, ...settings },
    });
    expect(status).toBe(1);
    return stderr;
  };
  await test.step("bad settings, all at once, by name and without the value", () => {
    const stderr = failToStart({
      PORT: "eighty",
      LOG_LEVEL: "loud",
      DATABASE_URL: "mysql://secret-host/db",
      SMTP_URL: "what",
    });
    const names = ["PORT", "LOG_LEVEL", "DATABASE_URL", "SMTP_URL", "BETTER_AUTH_SECRET", "TOKEN_ENCRYPTION_KEY"];
    for (const name of names) expect(stderr).toContain(name);
    for (const value of ["eighty", "loud", "secret-host", "what"]) expect(stderr).not.toContain(value);
  });
  await test.step("a port in use", () => {
    const port = new URL(server.url).port;
    const stderr = failToStart({ PORT: port, DATA_DIR: server.dataDir, DEMO: "0" });
    expect(stderr).toContain(`Port ${port}`);
    expect(stderr).toContain("set PORT");
  });
  await test.step("a data folder that cannot be used", () => {
    const stderr = failToStart({ PORT: "1", DATA_DIR: "/proc/no-such-folder" });
    expect(stderr).toContain("/proc/no-such-folder");
    expect(stderr).toContain("set DATA_DIR");
  });
  await test.step("a database that is away", () => {
    const secret = "x".repeat(40);
    const stderr = failToStart({
      PORT: "1",
      DATABASE_URL: "postgres://nobody:hidden@127.0.0.1:1/none",
      BETTER_AUTH_SECRET: secret,
      TOKEN_ENCRYPTION_KEY: secret,
      DATA_DIR: "/tmp",
    });
    expect(stderr).toContain("DATABASE_URL");
    expect(stderr).not.toContain("hidden");
  });
  await test.step("a command whose question nobody can answer, and one that is told to stop meanwhile", async () => {
    const admin = ["dist-server/main.mjs", "--admin", "create", "--email", "new@firm.example", "--name", "New"];
    const env = { PATH: process.env.PATH, DATA_DIR: server.dataDir, DEMO: "0" };
    const { status, stderr } = spawnSync(process.execPath, admin, { encoding: "utf8", env });
    expect([status, stderr]).toEqual([1, expect.stringContaining("set ADMIN_PASSWORD")]);
    const waiting = spawn(process.execPath, admin, { env });
    const said = text(waiting.stderr);
    await once(waiting.stdout, "data");
    waiting.kill("SIGTERM");
    expect([...(await once(waiting, "exit")), await said]).toEqual([143, null, "Interrupted.\n"]);
  });
});

test("backed up while it runs, wiped, restored and started again, everything is there", async ({ page, server }) => {
  await authenticate(page, ADMIN.email, ADMIN.password);
  await createProject(api(page), { title: "Kept through it all" });
  const folder = mkdtempSync(join(tmpdir(), "sangam-e2e-backup-"));
  const run = (...args: string[]) => {
    const { status, stderr } = spawnSync(process.execPath, ["dist-server/main.mjs", ...args], {
      encoding: "utf8",
      env: { PATH: process.env.PATH, DATA_DIR: server.dataDir, DEMO: "0", BACKUP_PASSPHRASE: "of the whole firm" },
    });
    return { status, said: stderr };
  };
  expect(run("--backup", folder, "firm.zip")).toMatchObject({ status: 0, said: expect.stringContaining("encrypted") });
  expect(run("--restore", folder, "firm.zip")).toMatchObject({ status: 1, said: expect.stringContaining("stop it") });
  await server.stop();
  for (const name of readdirSync(server.dataDir)) rmSync(join(server.dataDir, name), { recursive: true });
  expect(run("--restore", folder, "firm.zip")).toMatchObject({ status: 0, said: expect.stringContaining("as it was") });
  await server.start();
  // Still logged in: the cookie is signed with the secret of the backup.
  const { items } = await api(page).projects.list.query({ scope: "all" });
  expect(items.map(({ title }) => title)).toContain("Kept through it all");
  rmSync(folder, { recursive: true });
});

test("at a public address the demo that loopback had is closed, its sessions are over, and the way in is said", async () => {
  const server = await startServer({ DEMO: "" });
  try {
    expect(server.said.filter((line) => line.startsWith("demo "))).toHaveLength(12);
    expect(server.said.join("\n")).not.toContain("npm run admin");
    const asha = await post(server, "auth.signIn", { ...DEMO_ADMIN, rememberMe: true });
    expect(asha.status).toBe(200);
    const cookie = asha.headers
      .getSetCookie()
      .map((one) => one.split(";")[0])
      .join("; ");
    await server.stop();

    await server.start({ PUBLIC_URL: "https://firm.example" });
    expect(server.said.filter((line) => line.startsWith("demo "))).toEqual([]);
    expect(server.said.join("\n")).toContain("npm run admin -- create --email");
    expect((await post(server, "auth.signIn", { ...DEMO_ADMIN, rememberMe: true })).status).toBe(401);
    expect((await fetch(`${server.url}/api/trpc/auth.sessions`, { headers: { cookie } })).status).toBe(401);
    if (!IS_LONG_FORM) return;

    await server.stop();
    await server.start({ PUBLIC_URL: "https://firm.example", DEMO: "1", DEMO_ANYWHERE: "1" });
    expect(server.log.join("")).toMatch(/DEMO_ANYWHERE/);
    expect((await post(server, "auth.signIn", { ...DEMO_ADMIN, rememberMe: true })).status).toBe(200);
  } finally {
    await disposeServer(server);
  }
});

function post(server: TestServer, procedure: string, json: object): Promise<Response> {
  return fetch(`${server.url}/api/trpc/${procedure}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ json }),
  });
}
