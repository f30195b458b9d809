import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { test as base } from "./equipped";
import { expect, expectAccessible, goInApp } from "./fixtures";
import { authenticate, DEMO_PASSWORD } from "./pages/account";
import { personIds } from "./people";

/** A web site that can be taken down. */
interface Site {
  url: string;
  isUp: boolean;
}

const test = base.extend<{ site: Site }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from the pattern.
  site: async ({}, use) => {
    const state = { isUp: true };
    const site: Server = createServer((_request, response) => {
      response.writeHead(state.isUp ? 200 : 503).end();
    }).listen(0, "127.0.0.1");
    await once(site, "listening");
    const { port } = site.address() as AddressInfo;
    await use(Object.assign(state, { url: `http://127.0.0.1:${port}/berths` }));
    site.close();
  },
});

test("a live link that dies is worth a look to its manager and to admins, until it answers again", async ({
  page,
  admin,
  site,
  openContext,
}) => {
  const [mitali = ""] = await personIds(admin, "Mitali Deshpande");
  const { id } = await admin.projects.create.mutate({
    ...{ title: "Ferry times", description: "At each pier.", status: "inProgress", startDate: "2026-11-01" },
    ...{ liveLink: site.url, assignedTo: [mitali], managers: [mitali] },
  });
  const state = async () => (await admin.projects.livePulse.query({ projectId: id }))?.state;
  await expect.poll(state).toBe("up");
  await authenticate(page, "mitali@sangam.example", DEMO_PASSWORD);
  await page.goto("/dashboard/overview");
  const list = page.getByRole("region", { name: /^Worth a look/ });
  // Of the demo.
  await expect(list.getByRole("link", { name: /: Live link does not answer$/ })).toHaveCount(1);
  const line = list.getByRole("link", { name: "Ferry times: Live link does not answer" });
  await expect(line).toBeHidden();

  site.isUp = false;
  await expect(line).toBeVisible();
  await expectAccessible(page, list);
  await line.click();
  await expect(page.getByRole("dialog", { name: "Ferry times" })).toBeVisible();

  await goInApp(page, `/dashboard?modal=view&project=${id}`);
  const pulse = page.getByRole("region", { name: "Live link" });
  await expect(pulse.getByText("Does not answer")).toBeVisible();
  await pulse.getByRole("button", { name: "Show last checks" }).click();
  const checks = pulse.getByRole("list", { name: "Last checks" });
  await expect(checks.getByRole("listitem").first()).toContainText("HTTP 503");
  await expectAccessible(page, pulse);

  const other = await (await openContext()).newPage();
  await authenticate(other, "asha@sangam.example", DEMO_PASSWORD);
  await other.goto("/admin/activity");
  const listed = other.getByRole("link", { name: "Ferry times: Live link does not answer" });
  await expect(listed).toBeVisible();

  site.isUp = true;
  await expect(listed).toBeHidden();
  await expect(pulse.getByText("Answers")).toBeVisible();
  await expect(page.getByRole("region", { name: /^Worth a look/ }).getByText("Nothing stands out.")).toBeVisible();
});
