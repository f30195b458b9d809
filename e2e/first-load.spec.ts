import { api } from "./api";
import { firstLoad } from "./first-load";
import { expect, MOTION, test } from "./fixtures";
import { authenticate } from "./pages/account";

/** Every page, by who opens it first; `panel` stands for a project's panel over it. */
test.use(MOTION);

const VISITS = [
  {
    who: "a visitor",
    email: null,
    paths: ["/", "/careers", "/kartavya", "/blogs", "/terms", "/login", "/signup", "/reset-password", "/confirm-email"],
    maxRequests: 12,
  },
  {
    who: "a user",
    email: "rohan@sangam.example",
    paths: [
      "/dashboard",
      "/dashboard?panel",
      "/dashboard/tasks",
      "/dashboard/overview",
      "/dashboard/team",
      "/dashboard/calendar",
      "/dashboard/messages",
      "/dashboard/settings",
    ],
    maxRequests: 25,
  },
  {
    who: "an admin",
    email: "asha@sangam.example",
    paths: [
      "/admin",
      "/admin/users",
      "/admin/messages",
      "/admin/activity",
      "/admin/inquiries",
      "/admin/audit",
      "/admin/clients",
      "/admin/settings",
    ],
    maxRequests: 25,
  },
  {
    who: "a client",
    email: "meera@sangam.example",
    paths: ["/client", "/client/messages", "/client/settings"],
    maxRequests: 25,
  },
];
/** Nothing that it lists is still on its way. */
const STANDING = 'main:not(:has([aria-busy="true"]))';
/** Scripts, one after the other, after the document. */
const MAX_DEPTH = 3;
const MAX_SHIFT = 0.02;

for (const { who, email, paths, maxRequests } of VISITS) {
  test(`each page that ${who} opens first comes in at most ${maxRequests} requests, its scripts in ${MAX_DEPTH} steps, and nothing moves`, async ({
    page,
  }) => {
    if (email) await authenticate(page, email);
    const projects = email ? await api(page).projects.list.query({ scope: "mine" }) : null;
    for (const path of paths.map((one) => one.replace("?panel", `?panel=${projects?.items[0]?.id}`))) {
      const visit = await page.context().newPage();
      const load = await firstLoad(visit, { path, standing: STANDING, slow: true });
      expect.soft(load.scriptDepth, path).toBeLessThanOrEqual(MAX_DEPTH);
      expect.soft(load.requests.length, [path, ...load.requests].join("\n")).toBeLessThanOrEqual(maxRequests);
      expect.soft(load.shift, [path, ...load.shifted].join("\n")).toBeLessThan(MAX_SHIFT);
      expect.soft([...load.carried, ...load.calls], path).toEqual([...new Set([...load.carried, ...load.calls])]);
      expect.soft(load.unread, path).toEqual([]);
      if (email) expect.soft(load.carried.join("\n"), path).toContain("projects.list");
      await visit.close();
    }
  });
}

test("a page whose opening changes its own lists asks for nothing twice either", async ({ page }) => {
  await authenticate(page, "asha@sangam.example");
  const { chat, users } = api(page);
  const [[conversation], [client]] = await Promise.all([chat.conversations.query(), users.clients.query()]);
  // What is unread is marked as read; what a client sees is written into the audit.
  for (const path of [`/admin/messages/${conversation?.id}`, `/admin/clients/${client?.id}`]) {
    const visit = await page.context().newPage();
    const { calls } = await firstLoad(visit, { path, standing: STANDING });
    expect(calls, path).toEqual([...new Set(calls)]);
    await visit.close();
  }
});
