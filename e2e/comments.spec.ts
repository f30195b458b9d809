import type { Page } from "@playwright/test";
import { writeMention } from "../server/contract/mentions";
import { COMMENT_MESSAGES } from "../server/contract/messages/comments";
import { api } from "./api";
import {
  drawn,
  expect,
  expectAccessible,
  expectAccessibleEverywhere,
  expectAccessibleInBothThemes,
  goInApp,
  test,
} from "./fixtures";
import { authenticate } from "./pages/account";
import { addProject } from "./projects";
import { hold } from "./traffic";

/** One dark pixel. */
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);
const NOBODY = "0198c5a2-7a37-7000-8000-000000000001";

test("a discussion keeps the two sides apart, and sends each comment once whatever happens", async ({
  page,
  openContext,
  consoleGuard,
  admin,
}) => {
  consoleGuard.allow(/net::ERR_FAILED/);
  const project = await addProject(admin, "Quay talk");
  await authenticate(page, "asha@sangam.example");
  // Over a page with little on it, which each look for a role goes through.
  const open = `/admin/inbox?modal=view&project=${project.id}`;
  await page.goto(open);
  const dialog = page.getByRole("dialog", { name: project.title });
  const box = dialog.getByRole("textbox", { name: "Comment", exact: true });
  const send = dialog.getByRole("button", { name: "Send" });
  const ours = comments(dialog);

  await test.step("a draft with a mention, written by keyboard alone, outlives a reload, and so does who shall see it", async () => {
    await box.focus();
    await page.keyboard.type("Tides, @mit");
    await expect(dialog.getByRole("option", { name: "Mitali Deshpande" })).toHaveAttribute("aria-selected", "true");
    await expectAccessibleInBothThemes(page, dialog);
    await page.keyboard.press("Escape");
    await expect(dialog.getByRole("listbox")).toBeHidden();
    await page.keyboard.type("a");
    await page.keyboard.press("Backspace");
    await page.keyboard.press("Enter");
    await expect(box).toHaveValue("Tides, @Mitali Deshpande ");
    await dialog.getByRole("radio", { name: "Client can see" }).check();
    await page.reload();
    await expect(box).toHaveValue("Tides, @Mitali Deshpande ");
    await expect(dialog.getByRole("radio", { name: "Client can see" })).toBeChecked();
    await dialog.getByRole("radio", { name: "Team" }).check();
  });

  await test.step("high contrast, which has no colours of ours, shows which side is chosen", async () => {
    await page.emulateMedia({ forcedColors: "active" });
    const team = dialog.locator("label", { hasText: "Team" });
    const chosen = await team.screenshot();
    await dialog.getByRole("radio", { name: "Client can see" }).check();
    expect(chosen.equals(await team.screenshot())).toBe(false);
    await dialog.getByRole("radio", { name: "Team" }).check();
    await page.emulateMedia({ forcedColors: null });
  });

  await test.step("what finds no server goes out once it is back", async () => {
    await page.route("**/api/trpc/comments.create*", (route) => route.abort());
    await box.press("Control+Enter");
    await expect(ours.first()).toContainText("Not sent");
    await expect(box).toHaveValue("");
    await page.unroute("**/api/trpc/comments.create*");
    await page.evaluate(() => window.dispatchEvent(new Event("online")));
    await expect(ours.first()).toContainText("Team");
    await expect(ours.first()).toContainText("Tides, @Mitali Deshpande");
    await expect(ours.first()).not.toContainText(/Not sent|Sending/);
  });

  const portal = await openContext().then((context) => context.newPage());
  await authenticate(portal, "meera@sangam.example");
  await portal.goto(`/client?open=${project.id}`);
  const theirs = comments(portal.getByRole("article", { name: project.title }));
  await expect(portal.getByText("No comments yet")).toBeVisible();
  await expect(portal.getByText("Client collaboration is off")).toBeVisible();

  await test.step("a project is followed, and no more, by keyboard on both sides, which outlives a reload", async () => {
    for (const [reader, place] of [
      [page, dialog],
      [portal, portal.getByRole("article", { name: project.title })],
    ] as const) {
      const discussion = place.getByRole("region", { name: "Discussion" });
      const following = discussion.getByRole("button", { name: "Following", exact: true, pressed: true });
      const follow = discussion.getByRole("button", { name: "Follow", exact: true, pressed: false });
      await following.press("Enter");
      await expect(follow).toBeFocused();
      await expect.poll(() => isFollowing(reader, project.id)).toBe(false);
      await expectAccessible(reader, discussion);
      // Also before an answer says what is chosen so far, which comes later and changes nothing.
      const held = hold();
      await reader.route("**/notifications.following*", held.handler);
      await reader.reload();
      await follow.press("Enter");
      await expect(following).toBeFocused();
      await expect.poll(() => isFollowing(reader, project.id)).toBe(true);
      // The route stays: taken away now, it could end a call that is going on at this moment.
      held.release();
      await expect(following).toBeFocused();
    }
  });

  await test.step("the first comment that the client can see is asked about, and only the first", async () => {
    await dialog.getByRole("radio", { name: "Client can see" }).check();
    await box.fill("**Ready** on Friday <b>bold</b>");
    await send.click();
    const question = page.getByRole("alertdialog", { name: "Show this to the client?" });
    await expectAccessibleInBothThemes(page, question);
    await question.getByRole("button", { name: "Cancel" }).click();
    await expect(box).toHaveValue("**Ready** on Friday <b>bold</b>");
    await expect(ours).toHaveCount(1);
    await send.click();
    await question.getByRole("button", { name: "Post comment" }).click();
    await expect(ours).toHaveCount(2);
    await expect(ours.last().getByText("Ready", { exact: true })).toHaveCSS("font-weight", "600");
    await expect(ours.last()).toContainText("<b>bold</b>");
    await box.fill("Bring the tide tables");
    await send.click();
    await expect(ours).toHaveCount(3);
    await expect(ours.last()).toBeInViewport({ ratio: 1 });
    await expect(box).toBeFocused();
  });

  await test.step("the client sees those alone, live, with what becomes of them, and without a sign of others", async () => {
    await expect(theirs).toHaveCount(2);
    await expect(theirs.first()).toContainText("Ready on Friday");
    await expect(portal.getByText("Team", { exact: true })).toHaveCount(0);
    await expect(portal.getByText("Client can see")).toHaveCount(0);
    await choose(page, ours.last(), "Edit");
    const editor = dialog.getByRole("textbox", { name: "Edit comment" });
    await expect(editor).toHaveValue("Bring the tide tables");
    await editor.fill("Bring the day sheet");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Keep editing" }).click();
    const call = hold();
    await page.route("**/api/trpc/comments.update*", call.handler, { times: 1 });
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await expect(dialog.getByRole("button", { name: "Saving..." })).toBeVisible();
    for (const leave of [
      () => editor.press("Escape"),
      () => dialog.getByRole("button", { name: "Cancel" }).press("Enter"),
    ]) {
      await leave();
      await drawn(page);
      await expect(page.getByRole("alertdialog")).toHaveCount(0);
    }
    call.release();
    await expect(ours.last()).toContainText("edited");
    await expect(ours.last().getByRole("button", { name: "Comment actions" })).toBeFocused();
    await expect(theirs.last()).toContainText("Bring the day sheet");
    await expect(theirs.last()).toContainText("edited");
    await choose(page, ours.nth(1), "Delete");
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await expect(ours.nth(1)).toContainText("Comment deleted");
    await expect(theirs.first()).toContainText("Comment deleted");
    await expect(theirs).toHaveCount(2);
    await expectAccessibleEverywhere(portal, { within: portal.getByRole("article", { name: project.title }) });
  });

  await test.step("whoever leaves an editor without a change is back at its comment", async () => {
    const actions = ours.last().getByRole("button", { name: "Comment actions" });
    const editor = dialog.getByRole("textbox", { name: "Edit comment" });
    for (const key of ["Escape", "Control+Enter"]) {
      await choose(page, ours.last(), "Edit");
      await editor.press(key);
      await expect(actions).toBeFocused();
    }
    await choose(page, ours.last(), "Edit");
    await editor.fill("Bring nothing");
    await editor.press("Escape");
    await page.getByRole("alertdialog").getByRole("button", { name: "Discard" }).press("Enter");
    await expect(page.getByRole("alertdialog")).toHaveCount(0);
    await expect(actions).toBeFocused();
  });

  await test.step("with collaboration on the client answers, and finds what is new below a line", async () => {
    await dialog.getByRole("button", { name: "Edit Project" }).click();
    const form = page.getByRole("dialog", { name: "Edit Project" });
    await form.getByRole("checkbox", { name: "Client collaboration" }).check();
    await form.getByRole("button", { name: "Save Changes" }).click();
    await expect(form).toBeHidden();
    await goInApp(page, open);
    const answer = portal.getByRole("textbox", { name: "Comment", exact: true });
    await expect(portal.getByRole("radio")).toHaveCount(0);
    await answer.fill("See you @roh");
    await portal.getByRole("option", { name: "Rohan Shah" }).click();
    await portal.getByRole("button", { name: "Send" }).click();
    await expect(ours.last()).toContainText("See you @Rohan Shah");
    await expect(ours.last()).toContainText("Client can see");
    await goInApp(portal, "/client/settings");
    await expect(portal.getByRole("heading", { level: 1, name: "Settings" })).toBeVisible();
    await box.fill("Until Friday");
    await send.press("Enter");
    await expect(box).toHaveValue("");
    await expect(send).toBeFocused();
    await expect(ours.last()).toContainText("Until Friday");
    // A read mark that finds no server is sent again.
    await portal.route("**/api/trpc/comments.markRead*", (route) => route.abort(), { times: 1 });
    await goInApp(portal, `/client?open=${project.id}`);
    await expect(theirs).toHaveCount(4);
    await expect(theirs.last()).toContainText("New");
    await expect.poll(() => readUpTo(portal, project.id)).toBe(4);
    // An edit that mentions the reader is read where it stands.
    const { items } = await api(portal).comments.list.query({ subject: { projectId: project.id }, limit: 2 });
    const commentId = items[1]?.id ?? "";
    const text = `Until Friday, ${writeMention(items[0]?.author ?? { id: "", name: "" })}`;
    await api(page).comments.update.mutate({ commentId, text });
    await expect(theirs.last()).toContainText("edited");
    const unread = async () => (await api(portal).notifications.list.query({ unreadOnly: true })).items;
    await expect
      .poll(async () => (await unread()).filter(({ subject }) => subject.commentId === commentId))
      .toEqual([]);
    expect((await api(portal).notifications.list.query({})).items[0]).toMatchObject({ kind: "mentioned" });
  });

  await test.step("what the server refuses says why, and comes back into the text field beside what stands there", async () => {
    await box.fill(`Ask @[Nobody](person:${NOBODY})`);
    await send.click();
    await expect(ours.last()).toContainText("Not sent");
    const toast = page.locator("[data-sonner-toast]").filter({ hasText: COMMENT_MESSAGES.sendFailed });
    await expect(toast).toBeVisible();
    await expect(ours.last()).toContainText("You mentioned someone who can't see this.");
    // Once, not in the toast too.
    await expect(toast).not.toContainText("can't see this");
    await expect(ours.last().getByRole("button", { name: "Retry" })).toHaveCount(0);
    await dialog.getByRole("radio", { name: "Team" }).check();
    await box.fill("Bring tea");
    await expectAccessible(page, dialog);
    await ours.last().getByRole("button", { name: "Edit" }).click();
    await expect(box).toBeFocused();
    await expect(box).toHaveValue("Ask @Nobody\n\nBring tea");
    await expect(dialog.getByRole("radio", { name: "Team" })).toBeChecked();
    await expect(ours.last()).toContainText("Until Friday");
    await send.click();
    await expect(dialog.getByText("Nobody can't see this.")).toBeVisible();
    await box.fill("Ask Nitin\n\nBring tea");
    await send.click();
    await expect(ours.last()).toContainText("Bring tea");
    await expect(ours.last()).toContainText("Team");
    await expect(ours.last()).not.toContainText(/Not sent|Sending/);
  });

  await test.step("an edit beside one on another device overwrites nothing unasked, and outlives a deletion there", async () => {
    const { items } = await api(page).comments.list.query({ subject: { projectId: project.id }, limit: 1 });
    const commentId = items[0]?.id ?? "";
    const editor = dialog.getByRole("textbox", { name: "Edit comment" });
    await choose(page, ours.last(), "Edit");
    await api(page).comments.update.mutate({ commentId, text: "From the phone" });
    await expect(editor).toHaveValue("From the phone");
    await editor.fill("From the desk");
    await api(page).comments.update.mutate({ commentId, text: "From the **train**" });
    await expect(dialog.getByText(COMMENT_MESSAGES.stale)).toBeVisible();
    await expect(dialog.getByText("From the train")).toBeVisible();
    await expect(editor).toHaveValue("From the desk");
    await expectAccessible(page, ours.last());
    await editor.press("Control+Enter");
    await dialog.getByRole("button", { name: "Save mine over it" }).click();
    await expect(editor).toHaveCount(0);
    await expect(ours.last()).toContainText("From the desk");
    await choose(page, ours.last(), "Edit");
    // What is typed on while it is saved stays, and is saved by the next press.
    const held = hold();
    await page.route("**/api/trpc/comments.update*", held.handler);
    await editor.fill("From the desk, now");
    await editor.press("Control+Enter");
    await editor.fill("From the desk, just now");
    // Sent now, it would be refused: the first save changes what it is in place of.
    await editor.press("Control+Enter");
    held.release();
    await expect(ours.last().getByRole("button", { name: "Saving..." })).toHaveCount(0);
    await expect(editor).toHaveValue("From the desk, just now");
    await expect(dialog.getByText(COMMENT_MESSAGES.stale)).toHaveCount(0);
    await editor.press("Control+Enter");
    await expect(editor).toHaveCount(0);
    await expect(ours.last()).toContainText("From the desk, just now");
    await choose(page, ours.last(), "Edit");
    await editor.fill("From the desk, again");
    await api(page).comments.delete.mutate({ commentId });
    await expect(dialog.getByText(COMMENT_MESSAGES.deleted)).toBeVisible();
    await dialog.getByRole("button", { name: "Post as a new comment" }).click();
    await expect(ours.last()).toContainText("From the desk, again");
    await expect(ours.nth(-2)).toContainText("Comment deleted");
  });

  await test.step("a picture goes with a comment, shows small in it, and at its size over the page", async () => {
    await dialog.getByRole("radio", { name: "Client can see" }).check();
    const chooser = page.waitForEvent("filechooser");
    await dialog.getByRole("region", { name: "Discussion" }).getByRole("button", { name: "Attach files" }).click();
    await (await chooser).setFiles([{ name: "berth.png", mimeType: "image/png", buffer: PIXEL }]);
    await expect(dialog.getByRole("button", { name: "Remove berth.png" })).toBeVisible();
    await send.click();
    for (const seen of [ours, theirs]) {
      const thumbnail = seen.last().getByRole("button", { name: "Show berth.png" });
      await expect(thumbnail.locator("img")).toHaveJSProperty("naturalWidth", 1);
    }
    // Not of the one that is still being sent, whose place it takes.
    await expect(ours.last().getByRole("button", { name: "Comment actions" })).toBeVisible();
    await ours.last().getByRole("button", { name: "Show berth.png" }).click();
    const viewer = page.getByRole("dialog", { name: "berth.png" });
    await expect(viewer.getByRole("img", { name: "berth.png" })).toHaveJSProperty("naturalWidth", 1);
    await viewer.getByRole("button", { name: "Full size" }).click();
    await expect(viewer.getByRole("button", { name: "Full size", pressed: true })).toBeVisible();
    await expectAccessibleEverywhere(page, { within: viewer });
    await page.keyboard.press("Escape");
    await expect(viewer).toBeHidden();
    // The choice is this project's.
    const other = await addProject(admin, "Weir talk");
    await goInApp(page, `/admin/inbox?modal=view&project=${other.id}`);
    await expect(page.getByRole("dialog", { name: other.title }).getByRole("radio", { name: "Team" })).toBeChecked();
    await goInApp(page, open);
    await expect(dialog.getByRole("radio", { name: "Client can see" })).toBeChecked();
  });

  await test.step("an admin may delete what somebody else has written, and not change it", async () => {
    const answered = ours.filter({ hasText: "See you @Rohan Shah" });
    await answered.getByRole("button", { name: "Comment actions" }).click();
    await expect(page.getByRole("menuitem")).toHaveText(["Delete"]);
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await expect(answered).toHaveCount(0);
    await expect(theirs.nth(2)).toContainText("Comment deleted");
  });
});

function comments(place: ReturnType<Page["getByRole"]>) {
  return place
    .getByRole("list", { name: "Comments" })
    .getByRole("listitem")
    .filter({ has: place.page().getByRole("article") });
}

async function choose(page: Page, comment: ReturnType<Page["getByRole"]>, action: string): Promise<void> {
  await comment.getByRole("button", { name: "Comment actions" }).click();
  await page.getByRole("menuitem", { name: action }).click();
}

async function isFollowing(page: Page, projectId: string): Promise<boolean> {
  return (await api(page).notifications.following.query({ subject: { projectId } })).following;
}

async function readUpTo(page: Page, projectId: string): Promise<number> {
  return (await api(page).comments.list.query({ subject: { projectId } })).readUpToSeq;
}
