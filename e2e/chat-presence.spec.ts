import { expect, expectAccessible, goInApp, test } from "./fixtures";
import { authenticate, signIn } from "./pages/account";
import { Chat, setVisibility, startConversation } from "./pages/chat";
import { insertPerson } from "./people";

const ASHA = "asha@sangam.example";
const ASHA_NAME = "Asha Kulkarni";
/** A reload does not count as leaving: the server waits 5 s, after the page has waited 5 s. */
const LEAVING_MS = 45_000;

test("who looks at a page is online for those they write with, and who types is seen typing", async ({
  page,
  openContext,
  server,
}) => {
  const person = await insertPerson(server, { name: "Sunniva Fjord", as: "client" });
  const other = await (await openContext()).newPage();
  await signIn(other, person.email, person.password);
  const conversationId = await startConversation(other, ASHA_NAME, "Good morning");
  await authenticate(page, ASHA);
  await page.goto(`/admin/messages/${conversationId}`);
  const [asha, sunniva] = [new Chat(page), new Chat(other)];
  const head = page.getByRole("region", { name: person.name, exact: true });
  await expect(head.getByText("Client · online")).toBeVisible();
  await expect(asha.line(/^Sunniva Fjord, client, .*\bonline\b/)).toBeVisible();

  await test.step("typing shows without moving anything, and ends with the message", async () => {
    await goInApp(other, `/client/messages/${conversationId}`);
    const field = sunniva.field(ASHA_NAME);
    const before = await asha.field(person.name).boundingBox();
    await field.pressSequentially("On my way");
    const line = page.getByRole("status").filter({ hasText: "Sunniva Fjord is typing..." });
    await expect(line).toBeVisible();
    expect(await asha.field(person.name).boundingBox()).toEqual(before);
    await expectAccessible(page, page.getByRole("main"));
    await expect(page.getByRole("log")).not.toContainText("typing");
    await other.keyboard.press("Enter");
    await expect(asha.message("On my way")).toBeVisible();
    await expect(line).toHaveCount(0);
  });

  await test.step("a page that nobody sees is no presence; back, it is", async () => {
    await setVisibility(other, "hidden");
    await expect(head.getByText("Client · online")).toHaveCount(0, { timeout: LEAVING_MS });
    await expect(head.getByText("Client", { exact: true })).toBeVisible();
    await setVisibility(other, "visible");
    await expect(head.getByText("Client · online")).toBeVisible();
  });
});
