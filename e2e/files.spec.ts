import { truncateSync, writeFileSync } from "node:fs";
import type { Locator, Page } from "@playwright/test";
import { FILE_MESSAGES } from "../server/contract/messages/files";
import { expect, expectAccessible, expectFits, goInApp, test } from "./fixtures";
import { authenticate } from "./pages/account";
import { Chat } from "./pages/chat";
import { addPerson } from "./people";
import { addProject } from "./projects";

const NOTES = {
  name: "समुद्र notes.txt",
  mimeType: "text/plain",
  buffer: Buffer.from("High water at six\n<b>as text</b>"),
};
const TIDES = { name: "tides.txt", mimeType: "text/plain", buffer: Buffer.from("Low water at noon") };
const GAUGES = { name: "gauges.txt", mimeType: "text/plain", buffer: Buffer.from("North, south") };
const PLAN = { name: "plan.bin", mimeType: "application/octet-stream", buffer: Buffer.from([0, 1, 2, 3]) };

test("files go with a message: chosen, dropped and pasted, with what is refused said in its place", async ({
  page,
  openContext,
  consoleGuard,
  admin,
}, testInfo) => {
  consoleGuard.allow(/Failed to load resource/);
  const client = await addPerson(admin, { name: "Zoya Files", as: "client" });
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
    await choose(page, [notes, large]);
    await expect(toAttach.getByText(FILE_MESSAGES.tooLarge)).toBeVisible();
    await expect(toAttach.getByText(FILE_MESSAGES.interrupted)).toBeVisible();
    await page.getByRole("button", { name: "Send" }).click();
    await expect(page.getByText("Retry or remove what failed.")).toBeVisible();
    await expectAccessible(page, toAttach);
    await page.unroute("**/api/files?*");
    await toAttach.getByRole("button", { name: "Remove large.bin" }).click();
    await toAttach.getByRole("button", { name: `Retry ${NOTES.name}` }).click();
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

  await test.step("text and files outlast a reload", async () => {
    await page.reload();
    await expect(field).toHaveValue("As promised");
    await expect(toAttach.getByText(NOTES.name)).toBeVisible();
    await choose(page, [TIDES, GAUGES, PLAN]);
    await expect(toAttach.getByRole("button", { name: "Remove plan.bin" })).toBeVisible();
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
    await expectAccessible(clientPage, viewer);
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
});

test("a file on a task comes and goes on the screens of others, the team's never on the client's", async ({
  page,
  openContext,
  admin,
}) => {
  const project = await addProject(admin, "Harbour files");
  const { key } = await admin.projects.byId.query({ projectId: project.id });
  const sheets: Locator[] = [];
  const other = await (await openContext()).newPage();
  const portal = await (await openContext()).newPage();
  for (const [one, email] of [
    [page, "rohan@sangam.example"],
    [other, "mitali@sangam.example"],
    [portal, "meera@sangam.example"],
  ] as const) {
    await authenticate(one, email);
    await one.goto(`/${one === portal ? "client" : "dashboard"}/inbox?task=${key}-1`);
    const sheet = one.getByRole("dialog", { name: /Read the gauges/ });
    await expect(sheet.getByRole("list", { name: "Comments" })).toBeVisible();
    sheets.push(sheet);
  }
  const [own, theirs, clients] = sheets.map((sheet) => sheet.getByRole("list", { name: "Files", exact: true }));
  async function attach(name: string, visibility: string): Promise<void> {
    const files = page.getByRole("region", { name: "Files" });
    await choose(page, [{ ...PLAN, name }], files);
    await files.getByRole("radio", { name: visibility }).check();
    // It is refused while the file is on its way.
    await expect(files.getByRole("button", { name: `Remove ${name}` })).toBeVisible();
    await files.getByRole("button", { name: "Attach", exact: true }).click();
  }
  if (!own || !theirs || !clients) throw new Error("three people look at the task");
  await attach("fees.bin", "Team");
  await expect(theirs.getByText("fees.bin")).toBeVisible();
  await attach("plan.bin", "Client can see");
  await expect(theirs.getByText("plan.bin")).toBeVisible();
  await expect(clients.getByRole("listitem")).toHaveText([/plan\.bin/]);
  for (const name of ["fees.bin", "plan.bin"]) {
    await own.getByRole("button", { name: `Remove ${name}` }).click();
    await page.getByRole("alertdialog", { name: "Remove file" }).getByRole("button", { name: "Remove" }).click();
    await expect(theirs.getByText(name)).toBeHidden();
    if (name === "fees.bin") await expect(own.getByRole("button", { name: "Remove plan.bin" })).toBeFocused();
  }
  await expect(clients).toBeHidden();

  await test.step("files of the project itself stand with its details, and in the portal those for the client", async () => {
    await goInApp(page, `/dashboard/inbox?modal=view&project=${project.id}`);
    await goInApp(portal, `/client?open=${project.id}`);
    const card = portal.getByRole("article", { name: project.title });
    const inPortal = card.getByRole("list", { name: "Files", exact: true });
    // Without comments it takes no room.
    await expect(card.getByRole("list", { name: "Comments" })).toBeAttached();
    const inDetails = page
      .getByRole("dialog", { name: project.title })
      .getByRole("list", { name: "Files", exact: true });
    // What is chosen while another file is being attached waits for its own turn.
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/api/trpc/files.attach*", (route) => held.then(() => route.continue()));
    await attach("contract.bin", "Team");
    const files = page.getByRole("region", { name: "Files" });
    await choose(page, [{ ...PLAN, name: "offer.bin" }], files);
    await expect(files.getByRole("button", { name: "Remove offer.bin" })).toBeVisible();
    release();
    await expect(inDetails.getByText("contract.bin")).toBeVisible();
    await files.getByRole("radio", { name: "Client can see" }).check();
    await files.getByRole("button", { name: "Attach", exact: true }).click();
    await expect(inDetails.getByRole("listitem")).toHaveText([/contract\.bin.*Team/, /offer\.bin.*Client can see/]);
    await expect(inPortal.getByRole("listitem")).toHaveText([/offer\.bin/]);
  });
});

async function choose(
  page: Page,
  files: { name: string; mimeType: string; buffer: Buffer }[] | string[],
  place: Page | Locator = page,
): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await place.getByRole("button", { name: "Attach files" }).click();
  await (await chooser).setFiles(files);
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
