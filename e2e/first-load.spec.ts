import { api } from "./api";
import { firstLoad } from "./first-load";
import { expect, test } from "./fixtures";
import { authenticate } from "./pages/account";
import { proceduresOf, Traffic } from "./traffic";

/** The pages that one lands on first, with what stands on them last. */
const LANDINGS = [
  { path: "/login", email: null, standing: "form button[type=submit]", maxRequests: 12 },
  { path: "/dashboard", email: "rohan@sangam.example", standing: "main article", maxRequests: 25 },
  { path: "/admin", email: "asha@sangam.example", standing: "main article", maxRequests: 25 },
  { path: "/client", email: "meera@sangam.example", standing: "main article", maxRequests: 25 },
];
/** Scripts, one after the other, after the document. */
const MAX_DEPTH = 3;
const MAX_SHIFT = 0.02;
const PAGES = {
  "rohan@sangam.example": [
    ...["/dashboard", "/dashboard/tasks", "/dashboard/overview", "/dashboard/team", "/dashboard/calendar"],
    ...["/dashboard/messages", "/dashboard/settings"],
  ],
  "asha@sangam.example": [
    ...["/admin", "/admin/users", "/admin/activity", "/admin/inquiries", "/admin/audit", "/admin/clients"],
    ...["/admin/messages", "/admin/settings"],
  ],
  "meera@sangam.example": ["/client", "/client/messages", "/client/settings"],
};

for (const { path, email, standing, maxRequests } of LANDINGS) {
  test(`${path} comes in at most ${maxRequests} requests, its scripts in ${MAX_DEPTH} steps, and nothing moves`, async ({
    page,
  }) => {
    if (email) await authenticate(page, email);
    const { requests, scriptDepth, calls, shift, shifted } = await firstLoad(page, { path, standing });
    expect(scriptDepth).toBeLessThanOrEqual(MAX_DEPTH);
    expect(requests.length, requests.join("\n")).toBeLessThanOrEqual(maxRequests);
    expect(shift, shifted.join("\n")).toBeLessThan(MAX_SHIFT);
    expect(calls).toEqual([...new Set(calls)]);
  });
}

for (const [email, paths] of Object.entries(PAGES)) {
  test(`no page of ${email} asks for anything twice, its streams included`, async ({ page }) => {
    const me = await authenticate(page, email);
    const traffic = new Traffic(page);
    const open = async (path: string) => {
      const before = traffic.asked.length;
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await traffic.settled();
      const calls = traffic.asked.slice(before).flatMap(proceduresOf);
      expect(calls, path).toEqual([...new Set(calls)]);
    };
    for (const path of paths) await open(path);
    // What is unread is read here, which changes the list of conversations.
    const [conversation] = await api(page).chat.conversations.query();
    await open(`${paths.find((path) => path.endsWith("/messages"))}/${conversation?.id}`);
    if (me !== "admin") return;
    const [client] = await api(page).users.clients.query();
    await open(`/admin/clients/${client?.id}`);
  });
}
