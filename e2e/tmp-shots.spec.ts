import { test } from "./fixtures";
import { openAs } from "./pages/account";

for (const theme of ["dark", "light"])
  for (const width of [1280, 360])
    for (const path of ["inquiries", "audit", "audit&kind=password.reset"]) {
      test(`${theme} ${width} ${path}`, async ({ page }) => {
        await page.setViewportSize({ width, height: width === 360 ? 780 : 900 });
        await page.addInitScript((dark) => {
          if (location.protocol.startsWith("http")) localStorage.setItem("darkMode", String(dark));
        }, theme === "dark");
        await openAs(page, { email: "asha@sangam.example", path: `/admin?section=${path}` });
        await page.waitForLoadState("networkidle");
        await page.waitForTimeout(300);
        await page.screenshot({
          path: `/tmp/inq-shots/${path.replace(/\W/g, "_")}-${theme}-${width}.png`,
          fullPage: false,
        });
        if (width === 360 && path === "inquiries") {
          await page.getByRole("button", { name: /More/ }).click();
          await page.waitForTimeout(300);
          await page.screenshot({ path: `/tmp/inq-shots/more-${theme}.png` });
        }
        if (path === "audit") {
          await page.getByRole("button", { name: /Filter by person/ }).click();
          await page.waitForTimeout(400);
          await page.screenshot({ path: `/tmp/inq-shots/picker-${theme}-${width}.png` });
        }
      });
    }
