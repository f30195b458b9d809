import type { Page } from "@playwright/test";
import { expect, MOTION, test } from "./fixtures";

test.use(MOTION);

const PAGES = ["/", "/careers", "/kartavya", "/privacy-policy-kartavya", "/terms", "/privacy", "/blogs"];

test("every link, picture and file of every page leads somewhere that exists", async ({ request, server }) => {
  const baseURL = server.url;
  const documents = new Map<string, string>();
  const read = async (path: string) => {
    const known = documents.get(path);
    if (known !== undefined) return known;
    const answer = await request.get(path);
    const text = answer.ok() ? await answer.text() : "";
    expect.soft(answer.status(), path).toBe(200);
    documents.set(path, text);
    return text;
  };
  for (const page of [...PAGES, "/?sent=1", "/careers?sent=1", "/careers?programme=training"]) await read(page);
  const missing = await (await request.get("/no/such/page")).text();
  const links = [...documents, ["/no/such/page", missing] as const].flatMap(([from, html]) =>
    [...html.matchAll(/(?:(?:href|src)="((?:https?:|\/|#|mailto:)[^"]*)"|content="(https?:[^"]*)")/g)].map(
      ([, link, address = ""]) => ({
        from,
        url: new URL((link ?? address).replaceAll("&amp;", "&"), new URL(from, baseURL)),
      }),
    ),
  );
  expect(links.length).toBeGreaterThan(300);
  for (const { from, url } of links) {
    if (url.protocol === "mailto:") continue;
    expect(url.origin, `${url} on ${from}`).toBe(new URL(baseURL).origin);
    const own = url.pathname === new URL(from, baseURL).pathname;
    const html = own && from === "/no/such/page" ? missing : await read(url.pathname + url.search);
    if (url.hash) expect.soft(html.includes(`id="${url.hash.slice(1)}"`), `${url} on ${from}`).toBe(true);
  }
});

test("search engines are told of each page under its own address, and of nothing behind sign-in", async ({
  request,
  server,
}) => {
  const baseURL = server.url;
  const sitemap = await (await request.get("/sitemap.xml")).text();
  expect([...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => url).sort()).toEqual(
    [...PAGES, "/docs"].map((path) => `${baseURL}${path}`).sort(),
  );
  expect(await (await request.get("/robots.txt")).text()).toContain(`Sitemap: ${baseURL}/sitemap.xml`);
  for (const path of [...PAGES, "/docs"]) {
    const html = await (await request.get(`${path}?from=somewhere`)).text();
    expect(html, path).toContain(`<link rel="canonical" href="${baseURL}${path}" />`);
    expect(html, path).toContain(`<meta property="og:url" content="${baseURL}${path}" />`);
    expect(html, path).toMatch(/<meta property="og:image:alt" content="[^"]+" \/>/);
    expect(html, path).not.toContain("noindex");
    expect(html, path).not.toContain("public-url.invalid");
  }
  const missing = await (await request.get("/no/such/page")).text();
  expect(missing).toContain('<meta name="robots" content="noindex" />');
  expect(missing).not.toContain("og:url");
  for (const [path, title] of [
    ["/login", "Log In · Sangam"],
    ["/signup", "Create Account · Sangam"],
    ["/dashboard", "Projects Board · Sangam"],
    ["/admin/users", "Users Management · Sangam"],
    ["/client/messages/0a", "Messages · Sangam"],
  ] as const) {
    const answer = await request.get(path);
    expect(answer.headers()["x-robots-tag"], path).toBe("noindex");
    expect(await answer.text(), path).toContain(`<title>${title}</title>`);
  }
});

test("what browsers and scanners ask for by a fixed name is there; other files are missed in a few bytes", async ({
  request,
  server,
}) => {
  for (const [path, type] of [
    ["/favicon.ico", "image/x-icon"],
    ["/apple-touch-icon.png", "image/png"],
    ["/manifest.webmanifest", "application/manifest+json"],
  ] as const) {
    const answer = await request.get(path);
    expect([answer.status(), answer.headers()["content-type"]], path).toEqual([200, type]);
  }
  const { icons, start_url: start } = await (await request.get("/manifest.webmanifest")).json();
  for (const address of [start, ...icons.map(({ src }: { src: string }) => src)]) {
    expect((await request.get(address)).status(), address).toBe(200);
  }
  const security = await (await request.get("/.well-known/security.txt")).text();
  expect(security).toContain(`Contact: ${server.url}/contact\n`);
  expect(security).toContain(`Canonical: ${server.url}/.well-known/security.txt\n`);
  const expires = Date.parse(/^Expires: (\S+)$/m.exec(security)?.[1] ?? "");
  expect(expires).toBeGreaterThan(Date.now());
  expect(expires).toBeLessThan(Date.now() + 365 * 86_400_000);
  for (const path of ["/wp-login.php", "/apple-touch-icon-precomposed.png", "/.env", "/.well-known/other", "/a/b.js"]) {
    const answer = await request.get(path);
    expect([answer.status(), await answer.text()], path).toEqual([404, "Not found"]);
  }
});

test("pages and files come compressed, files with a hash for ever, pages anew only when they changed", async ({
  request,
}) => {
  for (const [encoding, wanted] of [
    ["gzip, deflate, br, zstd", "br"],
    ["br;q=0, gzip", "gzip"],
    ["gzip", "gzip"],
    ["identity", undefined],
  ] as const) {
    const answer = await request.get("/careers", { headers: { "accept-encoding": encoding } });
    expect(answer.headers()["content-encoding"]).toBe(wanted);
    expect(await answer.text()).toContain("Learn it by shipping it.");
  }
  const page = await request.get("/careers");
  const etag = page.headers().etag ?? "";
  expect((await request.get("/careers", { headers: { "if-none-match": etag } })).status()).toBe(304);
  const [, script = ""] = /src="(\/assets\/[^"]+)"/.exec(await page.text()) ?? [];
  const file = await request.get(script, { headers: { "accept-encoding": "br" } });
  expect(file.headers()).toMatchObject({
    "cache-control": "public, max-age=31536000, immutable",
    "content-encoding": "br",
  });
  const uncompressed = await request.get(script, { headers: { "accept-encoding": "identity" } });
  expect(uncompressed.headers().vary).toBe("Accept-Encoding");
});

test("parts of the brochure belong together, and a part of another version is never sent", async ({ request }) => {
  const get = (headers: Record<string, string>) => request.get("/sangam-programmes.pdf", { headers });
  const whole = await get({});
  const { etag = "", "cache-control": cacheControl } = whole.headers();
  expect(cacheControl).toBe("no-cache");
  const [first, second] = [await get({ range: "bytes=0-99" }), await get({ range: "bytes=100-", "if-range": etag })];
  expect([first.status(), second.status()]).toEqual([206, 206]);
  expect([first.headers().etag, second.headers().etag]).toEqual([etag, etag]);
  expect(Buffer.concat([await first.body(), await second.body()]).equals(await whole.body())).toBe(true);
  expect((await get({ range: "bytes=100-", "if-range": '"another"' })).status()).toBe(200);
  expect((await get({ range: "bytes=0-1,5-9" })).status()).toBe(200);
  expect((await get({ "if-none-match": etag })).status()).toBe(304);
});

test("an address with a slash behind it leads to the page, whatever host it was asked of", async ({ request }) => {
  for (const [asked, wanted] of [
    ["/careers/", "/careers"],
    ["/careers/?programme=training", "/careers?programme=training"],
    ["/login/", "/login"],
  ] as const) {
    const answer = await request.get(asked, { maxRedirects: 0, headers: { host: "evil.example" } });
    expect([answer.status(), answer.headers().location]).toEqual([301, wanted]);
  }
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("sign-in says what is missing, and how to write to the firm; every text is there to read, and every list of links opens", async ({
    page,
  }) => {
    for (const path of ["/login", "/signup", "/dashboard"]) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1, name: "Sangam needs JavaScript" })).toBeVisible();
      await expect(page.getByRole("link", { name: "hello@sangam.example" })).toBeVisible();
    }
    await page.getByRole("link", { name: "Contact us" }).click();
    await expect(page.getByRole("button", { name: "Send message" })).toBeInViewport();
    for (const text of ["10,000+", "5+", "3+"]) await expect(page.getByText(text).first()).toBeVisible();
    await page.getByRole("button", { name: "Services" }).focus();
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Consulting" }).click();
    await expect(page).toHaveURL(/#consulting$/);
    await page.setViewportSize({ width: 360, height: 780 });
    await page.getByRole("link", { name: "Menu" }).click();
    await expect(page.getByRole("navigation", { name: "Footer" })).toBeInViewport();
    await page.goto("/kartavya");
    await expect(page.getByText("A swap between two colleagues")).toBeVisible();
    await expect(page.getByRole("button", { name: /Read More/ })).toHaveCount(0);
    await page.goto("/careers");
    await expect(page.getByText("A certificate that names what you built")).toBeVisible();
  });
});

test.describe("on a first visit", () => {
  // What is fetched counts.
  test.use({ isFirstVisit: true });

  for (const path of ["/", "/careers", "/kartavya"]) {
    test(`${path} is light, and nothing on it moves while its letters arrive late`, async ({ page }) => {
      const transfer = await countBytes(page);
      await page.addInitScript(sumShifts);
      await page.route("**/*.woff2", async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 400));
        await route.continue();
      });
      await page.goto(path);
      await page.evaluate(() => document.fonts.ready);
      for (let at = 0; at < 8; at += 1) await page.mouse.wheel(0, 600);
      await page.waitForLoadState("networkidle");
      expect(await page.evaluate(() => Number(document.documentElement.dataset.shifts ?? 0))).toBeLessThan(0.02);
      const { all, scripts } = transfer();
      expect(scripts).toBeLessThanOrEqual(110_000);
      expect(all).toBeLessThanOrEqual(250_000);
    });
  }
});

test("on a phone everything is in a menu that closes by itself, by its button and with Escape", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 780 });
  await openForUse(page, "/");
  const opener = page.getByRole("button", { name: "Menu", exact: true });
  const menu = page.getByRole("dialog", { name: "Menu" });
  await opener.click();
  for (const name of ["Careers", "Kartavya", "About Us", "Our Goal", "Contact us", "Blogs", "Consulting", "Sign in"]) {
    await expect(menu.getByRole("link", { name, exact: true })).toBeVisible();
  }
  await page.keyboard.press("Escape");
  await expect(opener).toBeFocused();
  await opener.click();
  await menu.getByRole("button", { name: "Close menu" }).click();
  await opener.click();
  await menu.getByRole("link", { name: "Our Goal" }).click();
  await expect(menu).toBeHidden();
  await expect(page.getByRole("heading", { name: "Our Goal" })).toBeInViewport();

  await opener.click();
  await page.setViewportSize({ width: 1280, height: 780 });
  await page.getByRole("button", { name: "Services" }).click();
  await expect(page.getByRole("link", { name: "Consulting" }).first()).toBeVisible();
});

test("folded text unfolds by its button or a search in the page, and a list in the navigation opens by its button", async ({
  page,
}) => {
  await test.step("folded text unfolds by its button, by a search in the page, and each for itself", async () => {
    await openForUse(page, "/kartavya");
    const shifts = page.getByText("A swap between two colleagues");
    const loans = page.getByText("The office sees all of it");
    const shiftsButton = page.getByRole("button", { name: "Read More, Flexible Shifts" });
    await shiftsButton.click();
    await expect(shifts).toBeVisible();
    await expect(loans).toBeHidden();
    await page.getByRole("button", { name: "Read Less, Flexible Shifts" }).click();
    await expect(shifts).toBeHidden();
    const isFindable = await loans.evaluate((element) => {
      const region = element.closest("[data-until-found]");
      region?.dispatchEvent(new Event("beforematch"));
      return region?.getAttribute("hidden") ?? "";
    });
    expect(isFindable).toBe("until-found");
    await expect(loans).toBeVisible();
    await openForUse(page, "/careers");
    await page.getByRole("button", { name: "Learn More, Free internship" }).click();
    await expect(page.getByText("Hours that fit around lectures")).toBeVisible();
    await expect(page.getByText("A certificate that names")).toBeHidden();
  });
  await test.step("a list in the navigation opens by its button, closes with Escape and gives the focus back", async () => {
    const button = page.getByRole("button", { name: "Projects" });
    await button.click();
    await expect(button).toHaveAttribute("aria-expanded", "true");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    const link = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Client work" });
    await expect(link).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(button).toBeFocused();
    await expect(link).toBeHidden();
    await button.click();
    await page.getByRole("button", { name: "Services" }).click();
    await expect(button).toHaveAttribute("aria-expanded", "false");
    await page.keyboard.press("Escape");
    await button.click();
    await link.click();
    await expect(page).toHaveURL(/\/#work$/);
    await expect(page.getByRole("heading", { name: "Client work" })).toBeFocused();
  });
});

test("the counters run to their figures once, in a second, and stand still for those who asked for it", async ({
  page,
}) => {
  await page.clock.install();
  await page.setViewportSize({ width: 1280, height: 500 });
  await page.goto("/");
  const shown = page.locator('dl [aria-hidden="true"]').first();
  await expect(shown).toHaveText("10,000+");
  await page.waitForLoadState("networkidle");
  await shown.evaluate((element) => {
    const seen: string[] = [];
    new MutationObserver(() => {
      seen.push(element.textContent);
      document.body.dataset.counted = JSON.stringify(seen);
    }).observe(element, { characterData: true, childList: true, subtree: true });
  });
  // Frame by frame, as a busy machine would skip frames.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000);
  await shown.scrollIntoViewIfNeeded();
  const countOn = async () => {
    await page.clock.runFor(50);
    return (await counted(page)).at(-1);
  };
  await expect.poll(countOn, { intervals: [10] }).toBe("10,000+");
  await page.clock.resume();
  const seen = await counted(page);
  expect(seen.length).toBeGreaterThan(5);
  await page.mouse.wheel(0, 2_000);
  await page.mouse.wheel(0, -2_000);
  await expect(shown).toHaveText("10,000+");
  expect(await counted(page)).toEqual(seen);

  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.reload();
  await shown.scrollIntoViewIfNeeded();
  await expect(shown).toHaveText("10,000+");
});

/** Opens a public page until its buttons do something, which they do once React has taken the document over. */
async function openForUse(page: Page, path: string): Promise<void> {
  await page.goto(path);
  const isTakenOver = () =>
    page.evaluate(() =>
      Object.keys(document.getElementById("root") ?? {}).some((key) => key.startsWith("__reactContainer$")),
    );
  await expect.poll(isTakenOver).toBe(true);
}

async function counted(page: Page): Promise<string[]> {
  const text = await page.locator("body").getAttribute("data-counted");
  return text === null ? [] : JSON.parse(text);
}

/** Bytes over the network, headers included, as the browser counts them. */
async function countBytes(page: Page): Promise<() => { all: number; scripts: number }> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  const kinds = new Map<string, string>();
  const sum = { all: 0, scripts: 0 };
  session.on("Network.responseReceived", ({ requestId, type }) => void kinds.set(requestId, type));
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    sum.all += encodedDataLength;
    if (kinds.get(requestId) === "Script") sum.scripts += encodedDataLength;
  });
  return () => sum;
}

/** Runs in the page. */
function sumShifts(): void {
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (!("value" in entry) || !("hadRecentInput" in entry) || entry.hadRecentInput) continue;
      sum += Number(entry.value);
      document.documentElement.dataset.shifts = String(sum);
    }
  }).observe({ type: "layout-shift", buffered: true });
}
