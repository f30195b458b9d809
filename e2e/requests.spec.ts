import { expect, expectAccessible, test } from "./fixtures";
import { authenticate } from "./pages/account";

test("a client files a request, the firm asks back and accepts it, and the client sees each state", async ({
  page,
  openContext,
}) => {
  await authenticate(page, "meera@sangam.example");
  await page.goto("/client/requests");
  await page.getByRole("button", { name: "New request" }).click();
  const dialog = page.getByRole("dialog", { name: "New request" });
  await dialog.getByRole("textbox", { name: "Title" }).fill("Tides in the evening");
  await dialog.getByRole("textbox", { name: "What do you need?" }).fill("Show the evening's tide too.");
  await dialog.getByRole("button", { name: "Send request" }).click();
  await expect(page.getByRole("heading", { name: "Tides in the evening" })).toBeVisible();

  await expectAccessible(page);
  const firm = await (await openContext()).newPage();
  await authenticate(firm, "asha@sangam.example");
  await firm.goto("/admin/requests");
  await firm
    .getByRole("list", { name: "Requests" })
    .getByRole("link", { name: /Tides in the evening/ })
    .click();
  await firm.getByRole("button", { name: "Ask back" }).click();
  await expectAccessible(firm);
  await firm.getByRole("textbox", { name: "Question" }).fill("Which harbours?");
  await firm.getByRole("button", { name: "Ask back" }).click();

  await expect(page.getByRole("listitem").filter({ hasText: "Which harbours?" })).toBeVisible();
  await page.getByRole("textbox", { name: "Your answer" }).fill("All three.");
  await page.getByRole("button", { name: "Send answer" }).click();

  await expect(firm.getByRole("listitem").filter({ hasText: "All three." })).toBeVisible();
  await firm.getByRole("button", { name: "Accept" }).click();
  await firm.getByRole("button", { name: "Create task" }).click();
  await expect(page.getByRole("region", { name: "Request" }).getByRole("link", { name: /^[A-Z]+-\d+$/ })).toBeVisible();
});
