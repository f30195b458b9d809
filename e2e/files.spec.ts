import { truncateSync, writeFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { FILE_MESSAGES } from "../server/contract/messages/files";
import { expect, expectAccessible, expectAccessibleInBothThemes, expectFits, goInApp, test } from "./fixtures";
import { authenticate } from "./pages/account";
import { Chat } from "./pages/chat";
import { chooseFiles, PLAN } from "./pages/files";
import { insertPerson } from "./people";
import { hold } from "./traffic";

const NOTES = {
  name: "समुद्र notes.txt",
  mimeType: "text/plain",
  buffer: Buffer.from("High water at six\n<b>as text</b>"),
};
const TIDES = { name: "tides.txt", mimeType: "text/plain", buffer: Buffer.from("Low water at noon") };
const GAUGES = { name: "gauges.txt", mimeType: "text/plain", buffer: Buffer.from("North, south") };
/** A document of one empty sheet. */
const CHART = {
  name: "chart.pdf",
  mimeType: "application/pdf",
  buffer: Buffer.from(
    "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>endobj\ntrailer<</Root 1 0 R>>\n",
  ),
};

// Files of tasks and projects are tested in task-files.spec.ts.
test("files go with a message: chosen, dropped and pasted, with what is refused said in its place", async ({
  page,
  openContext,
  consoleGuard,
  server,
}, testInfo) => {
  consoleGuard.allow(/Failed to load resource/);
  const client = await insertPerson(server, { name: "Zoya Files", as: "client" });
  await authenticate(page, "asha@sangam.example");
  const chat = new Chat(page);
  await chat.open("admin");
  await chat.begin(client.name);
  const toAttach = page.getByRole("list", { name: "Files to attach" });
  const field = chat.field(client.name);

  await test.step("what is too large is refused at once, and an upload that breaks off can be tried again", async () => {
    await field.fill("As promised");
    // By their paths: the bytes of so large a file would take the browser seconds to receive from here.
    const notes = testInfo.outputPath(NOTES.name);
    const large = testInfo.outputPath("large.bin");
    writeFileSync(notes, NOTES.buffer);
    writeFileSync(large, "");
    truncateSync(large, 25_000_001);
    await page.route("**/api/files?*", (route) => route.abort());
    await chooseFiles(page, [notes, large]);
    await expect(toAttach.getByText(FILE_MESSAGES.tooLarge)).toBeVisible();
    await expect(toAttach.getByText(FILE_MESSAGES.interrupted)).toBeVisible();
    await page.getByRole("button", { name: "Send" }).click();
    await expect(page.getByText("Retry or remove what failed.")).toBeVisible();
    await expectAccessible(page, toAttach);
    await page.unroute("**/api/files?*");
    await toAttach.getByRole("button", { name: "Remove large.bin" }).click();
    await toAttach.getByRole("button", { name: `Retry ${NOTES.name}` }).press("Enter");
    await expect(toAttach.getByRole("button", { name: new RegExp(`^(Cancel|Remove) ${NOTES.name}$`) })).toBeFocused();
    await expect(toAttach.getByRole("alert")).toHaveCount(0);
    await expect(toAttach.getByRole("progressbar")).toHaveCount(0);
  });

  await test.step("one that is under way shows how far it is, and can be cancelled", async () => {
    await page.route("**/api/files?*", () => {});
    await drop(page, "slow.txt");
    await expect(toAttach.getByRole("progressbar", { name: "Uploading slow.txt" })).toBeVisible();
    await toAttach.getByRole("button", { name: "Cancel slow.txt" }).press("Enter");
    await expect(toAttach.getByText("slow.txt")).toBeHidden();
    await expect(toAttach.getByRole("button", { name: `Remove ${NOTES.name}` })).toBeFocused();
    await page.unroute("**/api/files?*");
  });

  await test.step("an upload goes on, and a failed one waits, while one looks at another conversation", async () => {
    const { pathname, search } = new URL(page.url());
    const back = () => goInApp(page, pathname + search);
    const upload = hold();
    await page.route("**/api/files?*", upload.handler);
    await drop(page, "later.txt");
    await goInApp(page, "/admin/inbox");
    await expect(page.getByRole("heading", { level: 1, name: "Inbox" })).toBeVisible();
    await back();
    await expect(field).toHaveValue("As promised");
    await expect(toAttach.getByRole("progressbar", { name: "Uploading later.txt" })).toBeVisible();
    await goInApp(page, "/admin/inbox");
    await expect(page.getByRole("heading", { level: 1, name: "Inbox" })).toBeVisible();
    const sent = page.waitForResponse("**/api/files?*");
    upload.release();
    await (await sent).finished();
    await page.unrouteAll({ behavior: "wait" });
    await back();
    await toAttach.getByRole("button", { name: "Remove later.txt" }).click();
    await page.route("**/api/files?*", (route) => route.abort());
    await drop(page, "never.txt");
    await goInApp(page, "/admin/inbox");
    await expect(page.getByRole("heading", { level: 1, name: "Inbox" })).toBeVisible();
    await back();
    await toAttach.getByRole("button", { name: "Remove never.txt" }).click();
    await expect(toAttach.getByText(NOTES.name)).toBeVisible();
    await page.unroute("**/api/files?*");
  });

  await test.step("text and files outlast a reload", async () => {
    await page.reload();
    await expect(field).toHaveValue("As promised");
    await expect(toAttach.getByText(NOTES.name)).toBeVisible();
    await chooseFiles(page, [TIDES, GAUGES, PLAN]);
    await expect(toAttach.getByRole("button", { name: /^Remove/ })).toHaveCount(4);
    await page.getByRole("button", { name: "Send" }).click();
    await expect(chat.message("As promised").getByRole("img", { name: "Sent" })).toBeVisible();
    await expect(toAttach).toBeHidden();
    await expect(field).toHaveValue("");
  });

  await test.step("the other one reads the text over the page, and saves what is no text", async () => {
    const clientPage = await (await openContext()).newPage();
    await authenticate(clientPage, client.email, client.password);
    const zoya = new Chat(clientPage);
    await zoya.open("client");
    await zoya.line(/^Asha Kulkarni/).click();
    const files = zoya.message("As promised").getByRole("list", { name: "Files" });
    await expectFits(clientPage, 360);
    const notes = files.getByRole("button", { name: `Show ${NOTES.name}, 1 kB` });
    await notes.click();
    const viewer = clientPage.getByRole("dialog", { name: NOTES.name });
    await expect(viewer.getByText("<b>as text</b>")).toBeVisible();
    await expectAccessibleInBothThemes(clientPage, viewer);
    await clientPage.keyboard.press("ArrowRight");
    await expect(clientPage.getByRole("dialog", { name: TIDES.name })).toBeVisible();
    await clientPage.keyboard.press("ArrowLeft");
    await expect(viewer).toBeVisible();
    await clientPage.keyboard.press("Escape");
    await expect(viewer).toBeHidden();
    await expect(notes).toBeFocused();
    await expect(files.getByRole("button", { name: "Show plan.bin" })).toHaveCount(0);
    const [saved] = await Promise.all([
      clientPage.waitForEvent("download"),
      files.getByRole("link", { name: "Download plan.bin" }).click(),
    ]);
    expect(saved.suggestedFilename()).toBe("plan.bin");
  });

  await test.step("files alone are a message too", async () => {
    await paste(page, client.name, "sketch.txt");
    await expect(toAttach.getByRole("button", { name: "Remove sketch.txt" })).toBeVisible();
    await field.press("Enter");
    const sent = page.getByRole("button", { name: "Show sketch.txt, 1 kB" });
    await expect(sent).toBeVisible();
    await expect(chat.line(/last message sketch\.txt/)).toBeVisible();
  });

  await test.step("a PDF is saved where the browser has no viewer for it, and shown in a frame where it has one", async () => {
    await setPdfViewer(page, false);
    await chooseFiles(page, [CHART]);
    await expect(toAttach.getByRole("button", { name: `Remove ${CHART.name}` })).toBeVisible();
    await field.fill("Berths");
    await page.getByRole("button", { name: "Send" }).click();
    const files = chat.message("Berths").getByRole("list", { name: "Files" });
    const show = files.getByRole("button", { name: `Show ${CHART.name}, 1 kB` });
    await expect(files.getByRole("link", { name: `Download ${CHART.name}` })).toContainText(CHART.name);
    await expect(show).toHaveCount(0);

    await setPdfViewer(page, true);
    const { pathname } = new URL(page.url());
    await goInApp(page, "/admin/inbox");
    await expect(page.getByRole("heading", { level: 1, name: "Inbox" })).toBeVisible();
    await goInApp(page, pathname);
    const answered = page.waitForResponse(/\/api\/files\/[0-9a-f-]{36}\?preview$/);
    await show.click();
    const viewer = page.getByRole("dialog", { name: CHART.name });
    await expect(viewer.getByTitle(CHART.name)).toBeVisible();
    const answer = await answered;
    expect(answer.frame()).not.toBe(page.mainFrame());
    const { "content-type": type, "content-disposition": use, ...headers } = await answer.allHeaders();
    expect(type).toBe("application/pdf");
    expect(use).toMatch(/^inline/);
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["x-frame-options"]).toBe("SAMEORIGIN");
    // No "sandbox": it would keep the browser's viewer out.
    expect(headers["content-security-policy"]).toBe("default-src 'none'; object-src 'self'; frame-ancestors 'self'");
    await expectAccessibleInBothThemes(page, viewer);
    const [saved] = await Promise.all([
      // A frame without a viewer saves it as well.
      page.waitForEvent("download", (download) => download.url().endsWith("?download")),
      viewer.getByRole("link", { name: "Download" }).click(),
    ]);
    expect(saved.suggestedFilename()).toBe(CHART.name);
  });
});

/** Takes effect where files are drawn from now on. Headless Chromium has no viewer; its frame saves the file. */
function setPdfViewer(page: Page, isThere: boolean): Promise<void> {
  return page.evaluate((value) => {
    Object.defineProperty(navigator, "pdfViewerEnabled", { value, configurable: true });
  }, isThere);
}

async function drop(page: Page, name: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle((fileName) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(["slowly"], fileName, { type: "text/plain" }));
    return transfer;
  }, name);
  const place = page.getByRole("button", { name: "Attach files" });
  await place.dispatchEvent("dragenter", { dataTransfer });
  await expect(page.getByText("Drop files to attach them")).toBeVisible();
  await place.dispatchEvent("drop", { dataTransfer });
  await expect(page.getByText("Drop files to attach them")).toBeHidden();
}

async function paste(page: Page, to: string, name: string): Promise<void> {
  await page.getByRole("textbox", { name: `Message ${to}` }).evaluate((field, fileName) => {
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File(["A sketch"], fileName, { type: "text/plain" }));
    field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, name);
}
