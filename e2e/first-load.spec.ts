import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { Browser, BrowserContext, Page } from "@playwright/test";
import { api } from "./api";
import { type FirstLoad, firstLoad, type Slowness, slowPages } from "./first-load";
import { dropFirstAnswers, expect, test } from "./fixtures";
import { IS_LONG_FORM, LONG_ONLY } from "./long-form";
import { authenticate } from "./pages/account";
import { createProject } from "./projects";
import { hold } from "./traffic";

test.use({ isFirstVisit: true });

/** Every page, by who opens it first: what most begin with, and the others. `panel` stands for a project's panel over it. */
const VISITS = [
  {
    who: "a visitor",
    email: null,
    paths: ["/", "/login", "/signup"],
    others: ["/careers", "/kartavya", "/blogs", "/terms", "/reset-password", "/confirm-email", "/invitation"],
    maxRequests: 12,
  },
  {
    who: "a user",
    email: "rohan@sangam.example",
    paths: ["/dashboard", "/dashboard?panel", "/dashboard/messages"],
    others: [
      ...["/dashboard/tasks", "/dashboard/overview", "/dashboard/team"],
      ...["/dashboard/calendar", "/dashboard/requests", "/dashboard/settings"],
    ],
    maxRequests: 25,
  },
  {
    who: "an admin",
    email: "asha@sangam.example",
    paths: ["/admin", "/admin/users"],
    others: [
      "/admin/messages",
      ...["/admin/requests", "/admin/activity", "/admin/inquiries", "/admin/audit"],
      ...["/admin/system", "/admin/clients", "/admin/settings"],
    ],
    maxRequests: 25,
  },
  {
    who: "a client",
    // Whom the demo asks for a sign-off: its card stands above the projects.
    email: "leela@sangam.example",
    paths: ["/client"],
    others: ["/client/messages", "/client/requests", "/client/settings"],
    card: { path: "/client", name: /^Sign-off: / },
    maxRequests: 25,
  },
];
/** Nothing that it lists is still on its way. */
const SHOWN = 'main:not(:has([aria-busy="true"]))';
const START_PAGES = ["/dashboard", "/admin", "/client"];
/** Scripts that these fetch before they are needed. */
const AHEAD_OF_TIME = /\/assets\/(overlays|controls|project-overlays|task-overlay|toaster|markdown)-/;
/** Scripts, one after the other, after the document. */
const MAX_DEPTH = 3;
const MAX_SHIFT = 0.02;
/** Where each second answer is late, of a thousand visits one still has none after so many. */
const MAX_TRIES = 10;
/** Visits wait for their slow network most of the time. */
const AT_ONCE = 3;

for (const { who, email, paths, others, maxRequests, card } of VISITS) {
  const guarantee = `comes in at most ${maxRequests} requests, its scripts in ${MAX_DEPTH} steps, with nothing before it is needed, and nothing moves`;

  test(`each page that ${who} begins with ${guarantee}`, async ({ browser, openContext }) => {
    await visitEach(paths, { browser, openContext });
  });

  test(`each other page that ${who} opens first ${guarantee}`, { tag: LONG_ONLY }, async ({ browser, openContext }) => {
    await visitEach(others, { browser, openContext });
  });

  async function visitEach(
    wanted: readonly string[],
    { browser, openContext }: { browser: Browser; openContext: () => Promise<BrowserContext> },
  ): Promise<void> {
    const slowness = await slowPages(browser);
    const rows = Array.from({ length: AT_ONCE }, (_, row) => wanted.filter((_path, at) => at % AT_ONCE === row));
    await Promise.all(rows.filter((row) => row.length > 0).map(visitAll)).finally(slowness.end);

    async function visitAll(row: readonly string[]): Promise<void> {
      const context = await openContext();
      const page = await context.newPage();
      if (email) await authenticate(page, email);
      const projects = email ? await api(page).projects.list.query({ scope: "mine" }) : null;
      for (const path of row) await visitFirst(context, path.replace("?panel", `?panel=${projects?.items[0]?.id}`));
    }

    async function visitFirst(context: BrowserContext, path: string): Promise<void> {
      const { visit, load } = await visitInTime(context, { path, slowness, carriesAnswers: email !== null });
      expect.soft(load.scriptDepth, path).toBeLessThanOrEqual(MAX_DEPTH);
      expect.soft(load.requests.length, [path, ...load.requests].join("\n")).toBeLessThanOrEqual(maxRequests);
      expect.soft(load.shift, [path, ...load.shifted].join("\n")).toBeLessThan(MAX_SHIFT);
      expect.soft([...load.carried, ...load.calls], path).toEqual([...new Set([...load.carried, ...load.calls])]);
      expect.soft(load.unread, path).toEqual([]);
      expect.soft(load.moving, path).toEqual([]);
      if (email) expect.soft(load.carried.join("\n"), path).toContain("projects.list");
      if (START_PAGES.includes(path)) await expectFetchedAhead(visit, { path, load });
      if (path === card?.path) await expect.soft(visit.getByRole("article", { name: card.name })).toBeVisible();
      await visit.close();
    }
  }
}

/** A start page can be used before anything is fetched that only a click may want. */
async function expectFetchedAhead(
  page: Page,
  { path, load: { requests, carried } }: { path: string; load: FirstLoad },
): Promise<void> {
  const fetched = () => page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
  await expect.poll(fetched, path).toContainEqual(expect.stringMatching(AHEAD_OF_TIME));
  const early = requests.filter((url) => AHEAD_OF_TIME.test(url));
  // A busy server sends a page without its answers; it can be used before they are there.
  if (carried.length > 0) expect.soft(early, path).toEqual([]);
}

/**
 * A busy server sends a page without answers rather than late; then another one is opened, as often as a slow machine needs. The
 * first visit of a context is on the page that it has.
 */
async function visitInTime(
  context: BrowserContext,
  { path, slowness, carriesAnswers }: { path: string; slowness: Slowness; carriesAnswers: boolean },
) {
  for (let tries = 1; ; tries += 1) {
    const visit = context.pages()[0] ?? (await context.newPage());
    const load = await firstLoad(visit, { path, shown: SHOWN, slowness });
    if (!carriesAnswers || load.carried.length > 0 || tries === MAX_TRIES) return { visit, load };
    await visit.close();
  }
}

test("a page whose opening changes its own lists asks for nothing twice either, and nothing moves", async ({
  page,
}) => {
  await authenticate(page, "asha@sangam.example");
  const { chat, users, signOffs } = api(page);
  const [[conversation], [client], [signOff]] = await Promise.all([
    chat.conversations.query(),
    users.clients.query(),
    signOffs.list.query({}),
  ]);
  // What is unread is marked as read; what a client sees is written into the audit.
  const paths = [
    ...[`/admin/messages/${conversation?.id}`, `/admin/clients/${client?.id}`, "/admin/inbox"],
    ...(IS_LONG_FORM ? [`/sign-offs/${signOff?.id}`, "/admin?task=HBP-3"] : []),
  ];
  for (const path of paths) {
    const visit = await page.context().newPage();
    const { calls, shift, shifted } = await firstLoad(visit, { path, shown: SHOWN });
    expect.soft(calls, path).toEqual([...new Set(calls)]);
    expect.soft(shift, [path, ...shifted].join("\n")).toBeLessThan(MAX_SHIFT);
    await visit.close();
  }
});

test("nothing moves where a busy server sends a page without its answers, and some of them come late", async ({
  openContext,
  admin,
}) => {
  const leela = (await admin.users.clients.query()).find(({ name }) => name.startsWith("Leela"));
  const visits = [
    { email: "asha@sangam.example", paths: ["/admin", ...(IS_LONG_FORM ? [`/admin/clients/${leela?.id}`] : [])] },
    { email: "leela@sangam.example", paths: ["/client", ...(IS_LONG_FORM ? ["/client/messages"] : [])] },
    { email: "mitali@sangam.example", paths: ["/dashboard", ...(IS_LONG_FORM ? ["/dashboard/overview"] : [])] },
  ];
  await Promise.all(visits.map(({ email, paths }) => visitAll(email, paths)));

  async function visitAll(email: string, paths: readonly string[]): Promise<void> {
    const page = await (await openContext()).newPage();
    await authenticate(page, email);
    for (const path of paths) {
      const visit = await page.context().newPage();
      await dropFirstAnswers(visit);
      await visit.route(/trpc.*(overview|signOffs|conversations|findings)/, async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 700));
        await route.continue();
      });
      const { shift, shifted } = await firstLoad(visit, { path, shown: SHOWN });
      expect.soft(shift, [path, ...shifted].join("\n")).toBeLessThan(MAX_SHIFT);
      await visit.close();
    }
  }
});

test("what changes while a page's script is on its way is shown in what the document drew, which stays", async ({
  page,
}) => {
  await authenticate(page, "rohan@sangam.example");
  const { projects } = api(page);
  const project = await createProject(api(page), { title: "Tide tables" });
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.context().route("**/assets/app-*.js", (route) => held.then(() => route.continue()));

  let opening: Promise<unknown> = Promise.resolve();
  const drawn = page.locator("#root > [inert]").getByText(project.title);
  // A server that has too much to do sends a document in which nothing is drawn.
  await expect(async () => {
    opening = page.goto("/dashboard");
    opening.catch(() => undefined);
    await expect(drawn).toBeVisible({ timeout: 5_000 });
  }).toPass();
  const card = await drawn.elementHandle();
  await projects.update.mutate({
    projectId: project.id,
    version: project.version,
    patch: { title: "Renamed meanwhile" },
  });
  release();
  await opening;
  await expect(page.getByText("Renamed meanwhile")).toBeVisible();
  expect(await card?.evaluate((element) => element.isConnected && element.textContent)).toBe("Renamed meanwhile");
});

// Whether answers or parts come first is a matter of milliseconds: the fault that this is about was seen at every fourth opening.
test("a part that comes later goes on with what the document shows of it", { tag: LONG_ONLY }, async ({ page }) => {
  await authenticate(page, "meera@sangam.example");
  const [project] = (await api(page).projects.list.query({ scope: "mine" })).items;
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: 3 });
  for (let opening = 1; opening <= 12; opening += 1) {
    await page.goto(`/client?open=${project?.id}`);
    await expect(page.locator("#root [inert]")).toHaveCount(0);
    await expect(page.getByRole("main").locator('[aria-busy="true"]')).toHaveCount(0);
  }
});

test("where shortcuts have other keys than the document shows, theirs come and nothing is drawn anew", async ({
  page,
}) => {
  await page.addInitScript(() => Object.defineProperty(Navigator.prototype, "platform", { get: () => "MacIntel" }));
  for (const [email, path] of [
    ["rohan@sangam.example", "/dashboard"],
    ["meera@sangam.example", "/client"],
  ] as const) {
    await authenticate(page, email);
    await expect(async () => {
      const opening = await page.goto(path);
      expect(await opening?.text()).toContain("Ctrl K");
    }).toPass();
    await expect(page.getByText("⌘ K")).toBeVisible();
  }
});

test("a page whose content comes late is first painted with it, and is freed part by part once it can be used", async ({
  page,
  server,
  consoleGuard,
}) => {
  // What stands between the page and its server passes no sockets on.
  consoleGuard.allow(/^WebSocket connection to /);
  await authenticate(page, "asha@sangam.example");
  const late = await startLateContent(server.url, "/admin");
  await page.addInitScript(() => {
    // Between two changes of `inert` the browser computes the style of what is no longer below one.
    const freed: number[] = [];
    let free = 0;
    new MutationObserver((changes) => {
      if (!changes.some(({ oldValue }) => oldValue !== null)) return;
      const now = document.querySelectorAll("#root *:not([inert], [inert] *)").length;
      freed.push(now - free);
      free = now;
    }).observe(document, { attributeFilter: ["inert"], attributeOldValue: true, subtree: true });
    Object.assign(window, { freed });
  });
  await expect(async () => {
    const opening = await page.goto(`${late.url}/admin`);
    expect(await opening?.text()).toContain("data-drawing=");
  }).toPass();
  await expect(page.locator("#root [inert]")).toHaveCount(0);
  const { paints, freed } = await page.evaluate(() => ({
    paints: performance.getEntriesByType("paint").map(({ name, startTime }) => ({ name, startTime })),
    freed: (window as unknown as { freed: number[] }).freed,
  }));
  const [first, content] = ["first-paint", "first-contentful-paint"].map(
    (wanted) => paints.find(({ name }) => name === wanted)?.startTime,
  );
  expect(first).toBeGreaterThan(0);
  expect(first).toBe(content);
  expect(freed.length).toBeGreaterThan(3);
  expect(Math.max(...freed)).toBeLessThan(200);
  await page.goto("about:blank");
  await late.close();
});

/** All that a document begins with, before its page's content is known. */
const ROOT = '<div id="root">';

/** The server at an address of its own, where the content of that page comes half a second after the page's style. */
async function startLateContent(url: string, path: string) {
  let endStyle = (): void => undefined;
  const styleSent = new Promise<void>((resolve) => (endStyle = resolve));
  const relay = createServer(async (request, response) => {
    const { cookie = "", "user-agent": agent = "" } = request.headers;
    const answer = await fetch(`${url}${request.url}`, { headers: { cookie, "user-agent": agent } });
    const body = Buffer.from(await answer.arrayBuffer());
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
    const content = body.indexOf(ROOT) + ROOT.length;
    if (request.url === path && body.includes("data-drawing=")) {
      response.write(body.subarray(0, content));
      await styleSent;
      await wait(500);
      response.end(body.subarray(content));
    } else response.end(body, request.url?.endsWith(".css") ? endStyle : undefined);
  });
  await new Promise<void>((resolve) => relay.listen(0, "127.0.0.1", resolve));
  const { port } = relay.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => new Promise((resolve) => relay.close(resolve)) };
}

test("a draft can be sent where the document shows an empty composer", async ({ page }) => {
  await authenticate(page, "meera@sangam.example");
  const { items } = await api(page).projects.list.query({ scope: "mine" });
  const path = `/client?open=${items.find(({ clientCollaboration }) => clientCollaboration)?.id}`;
  const comment = page.getByRole("textbox", { name: "Comment", exact: true });
  await page.goto(path);
  await comment.fill("At noon?");
  // The composer's code comes before the answers that draw what surrounds it anew.
  const answers = hold();
  await page.context().route(/statusUpdates\.list/, answers.handler);
  await expect(async () => {
    const opening = await page.reload();
    expect(await opening?.text()).toContain("data-drawing=");
  }).toPass();
  await expect(comment).toHaveValue("At noon?");
  await expect(page.getByRole("button", { name: "Send" })).toBeEnabled();
  answers.release();
});

test("what is drawn for one person keeps nothing of the person before", async ({ page }) => {
  const drawnFor = async (email: string, path: string) => {
    await authenticate(page, email);
    let drawn: string | undefined;
    await expect(async () => {
      [drawn] =
        /<div inert="" [^>]*data-drawing=.*(?=<script type="application\/json")/s.exec(await documentAt(path)) ?? [];
      expect(drawn).toBeDefined();
    }).toPass();
    return drawn;
  };
  const documentAt = async (path: string) => (await page.request.get(path)).text();
  const first = await drawnFor("meera@sangam.example", "/client");
  const other = await drawnFor("asha@sangam.example", "/admin");
  expect(other).toContain("Users");
  expect(await drawnFor("meera@sangam.example", "/client")).toBe(first);
  expect(await drawnFor("asha@sangam.example", "/admin")).toBe(other);
});
