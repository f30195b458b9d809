import { MESSAGES } from "../server/contract/messages";
import { askAgain } from "./api";
import { expect, expectAccessible, expectAccessibleEverywhere, goInApp, test } from "./fixtures";
import { authenticate, signIn } from "./pages/account";
import { answerCommits, COMMITS, EMPTY_FEED, ProjectActivity, Timeline } from "./pages/activity";
import { AllProjects } from "./pages/admin";
import { Board } from "./pages/board";
import { TasksPanel } from "./pages/tasks";
import { addProject, removeProjects } from "./projects";
import { hold, watchCalls } from "./traffic";

const ADMIN = "asha@sangam.example";
const CLIENT = "meera@sangam.example";
const LONG = "Keep the week when somebody switches between calendar and day sheet, s...";

// A request may still be open.
test.afterEach(({ page }) => page.unrouteAll({ behavior: "ignoreErrors" }));

test.describe("an admin's Project Activity", () => {
  test("shows commits by day with all that the specification lists, and the whole message by keyboard", async ({
    page,
  }) => {
    await signIn(page, ADMIN);
    await page.getByRole("link", { name: "Activity" }).first().click();
    const activity = new ProjectActivity(page);
    await expect(activity.heading).toBeFocused();
    await expect(page).toHaveTitle("Project Activity · Sangam");
    const commit = activity.commit("Receipt prints in Marathi and English");
    await expect(commit).toContainText("Harbour booking portal · sangam-demo/harbour · Rohan Shah (rohan-demo) · ");
    await expect(commit.locator("time")).toHaveAttribute("datetime", /^\d{4}-\d\d-\d\dT.*Z$/);
    await expect(commit.locator("time")).toHaveText(/^(Today|\d{1,2} \w+ \d{4},) \d\d:\d\d$/);
    await expect(commit).toContainText("Open: HBP-3 Receipt PDF");
    const link = commit.getByRole("link", { name: "View on GitHub, Receipt prints in Marathi and English" });
    await expect(link).toHaveText("View on GitHub");
    await expect(link).toHaveAttribute("href", /^https:\/\/github\.com\/sangam-demo\/harbour\/commit\/[0-9a-f]{40}$/);
    await expect(link).toHaveAttribute("rel", "noopener noreferrer");
    await expect(link).toHaveAttribute("target", "_blank");

    await expect(commit).not.toContainText("The Marathi text needs a line more");
    const toggle = commit.getByRole("button", { name: /^Show full message/ });
    await toggle.press("Enter");
    await expect(commit).toContainText("The Marathi text needs a line more than we thought. Fixes HBP-3");
    await expect(commit.getByRole("button", { name: /^Hide full message/ })).toBeFocused();

    // Days are in order, with each commit under its own day.
    const days = page.getByRole("main").getByRole("heading", { level: 2 });
    expect(await days.count()).toBeGreaterThan(2);
    const instants = await page
      .locator("main ol time")
      .evaluateAll((all) => all.map((one) => one.getAttribute("datetime")));
    expect(instants).toEqual(instants.toSorted().reverse());

    await test.step("a project opens in the panel and a task as its page, and Close leads back to their link", async () => {
      const task = commit.getByRole("link", { name: "HBP-3 Receipt PDF" });
      await task.click();
      await expect(page.getByRole("dialog", { name: "HBP-3 Receipt PDF" })).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(task).toBeFocused();
      const project = commit.getByRole("link", { name: "Harbour booking portal" });
      await project.press("Enter");
      await expect(page).toHaveURL(/\/admin\/activity\?panel=[0-9a-f-]{36}$/);
      await expect(page.getByRole("heading", { level: 2, name: "Harbour booking portal" })).toBeFocused();
      await page.keyboard.press("Escape");
      await expect(project).toBeFocused();
    });

    await test.step("the filter shows the commits of one project, also after a reload", async () => {
      const filter = page.getByRole("combobox", { name: "Filter by project" });
      await filter.selectOption("Seed catalogue");
      await expect(commit).toHaveCount(0);
      await page.reload();
      await expect(filter).toHaveValue(/[0-9a-f-]{36}/);
      const repos = page.getByRole("main").locator("code");
      await expect(repos.first()).toHaveText("sangam-demo/seeds");
      expect(new Set(await repos.allTextContents())).toEqual(new Set(["sangam-demo/seeds"]));
      await page
        .getByRole("button", { name: /^Show full message/ })
        .first()
        .click();
      await expectAccessibleEverywhere(page);
      await filter.selectOption("All Projects");
      await expect(commit).toBeVisible();
      await expect(page).toHaveURL(/\/admin\/activity$/);
    });
  });

  test("that cannot be loaded says so and offers Retry, which is another state than none; it is busy while GitHub is being asked, keeps what is there, and says when asking fails", async ({
    page,
    consoleGuard,
  }) => {
    consoleGuard.allow(/Failed to load resource/);
    await signIn(page, ADMIN);
    await page.route(COMMITS, (route) => route.abort());
    await page.getByRole("link", { name: "Activity" }).first().click();
    await expect(page.getByRole("alert")).toContainText(MESSAGES.github.loadFailed(MESSAGES.general.unreachable));
    await expect(page.getByText(MESSAGES.github.noCommits)).toHaveCount(0);
    await page.unrouteAll({ behavior: "wait" });
    await page.getByRole("button", { name: "Retry" }).click();
    await expect(new ProjectActivity(page).commit("Receipt prints in Marathi and English")).toBeVisible();

    await test.step("none is said in the specification's words, and leads to the token", async () => {
      await answerCommits(page, () => ({ ...EMPTY_FEED, tokenConfigured: false }));
      await askAgain(page, "github.commits");
      await expect(
        page.getByText("No commits found. Make sure projects have valid GitHub repositories.", { exact: true }),
      ).toBeVisible();
      await page.getByRole("link", { name: "Set a repository token" }).click();
      const section = page.getByRole("region", { name: "Repository token" });
      await expect(section.getByRole("heading", { name: "Repository token" })).toBeFocused();
      await expect(section.getByRole("heading", { name: "Repository token" })).toBeInViewport();
      await expect(section).toContainText("No token is set. Only public repositories are read.");
    });
    await test.step("a private repository that is not found leads to the token's owners", async () => {
      await page.unrouteAll({ behavior: "wait" });
      await answerCommits(page, (feed) => ({
        ...feed,
        tokenConfigured: true,
        problems: [
          { projectId: feed.items[0]?.project.id ?? "", repo: "konkan/harbour", kind: "not-found", status: 404 },
        ],
      }));
      await goInApp(page, "/admin/activity");
      await askAgain(page, "github.commits");
      const problems = page.getByRole("group").filter({ hasText: "1 repository could not be read" });
      await problems.getByText("1 repository could not be read").click();
      await expect(problems).toContainText(
        "Private repositories are found only if their owner is listed with the token. See the repository token",
      );
      await expect(problems).not.toContainText("GitHub may no longer accept the token.");
      await problems.getByRole("link", { name: "See the repository token" }).press("Enter");
      const heading = page.getByRole("heading", { name: "Repository token" });
      await expect(heading).toBeFocused();
      await page.goBack();
      await expect(new ProjectActivity(page).heading).toBeVisible();
      await page.goForward();
      await expect(heading).toBeInViewport();
    });
    await test.step("busy while GitHub is being asked, with what is there", async () => {
      await page.unrouteAll({ behavior: "wait" });
      await answerCommits(page, (feed) => ({ ...feed, refreshing: 2 }));
      await goInApp(page, "/admin/activity");
      await askAgain(page, "github.commits");
      const busy = page.getByRole("button", { name: "Refreshing..." });
      await expect(busy).toHaveAttribute("aria-disabled", "true");
      await expect(new ProjectActivity(page).commit("Receipt prints in Marathi and English")).toBeVisible();
    });
    await test.step("asking fails, or there is nothing to ask", async () => {
      const activity = new ProjectActivity(page);
      await page.unrouteAll({ behavior: "wait" });
      await askAgain(page, "github.commits");
      await page.route("**/api/trpc/github.refresh*", (route) => route.abort());
      await activity.refresh.click();
      const toast = page.locator("[data-sonner-toast]").filter({ hasText: MESSAGES.github.refreshFailed });
      await expect(toast).toBeVisible();
      await expect(activity.refresh).toBeFocused();
      // It would lie over the button of a phone.
      await toast.getByRole("button", { name: "Close" }).click();
      await page.unroute("**/api/trpc/github.refresh*");
      // The demo's repositories do not exist on GitHub.
      await activity.refresh.press("Enter");
      const notice = page.getByRole("status").filter({ hasText: "The demo's commits are sample data" });
      await expect(notice).toHaveText("The demo's commits are sample data; there is nothing to refresh.");
      await expect(activity.refresh).toBeFocused();
      // On a phone the notice does not move the button.
      await page.setViewportSize({ width: 360, height: 780 });
      await expect(notice).toBeVisible();
      await goInApp(page, "/admin/inbox");
      await expect(page.getByRole("heading", { level: 1, name: "Inbox" })).toBeVisible();
      await goInApp(page, "/admin/activity");
      await expect(activity.refresh).toBeVisible();
      await expect(notice).toHaveCount(0);
      const place = await activity.refresh.boundingBox();
      await activity.refresh.click();
      await expect(notice).toBeVisible();
      expect(await activity.refresh.boundingBox()).toEqual(place);
    });
  });

  test("tells what could not be read by repository, folded, and opens the project whose link is to be mended", async ({
    page,
    admin,
  }) => {
    await authenticate(page, ADMIN);
    const mended = await addProject(admin, "Mislinked");
    await answerCommits(page, (feed) => ({
      ...feed,
      problems: [
        { projectId: mended.id, repo: "konkan/harbour", kind: "not-found", status: 404 },
        { projectId: feed.items[0]?.project.id ?? "", repo: "konkan/quay", kind: "auth", status: 403 },
        { projectId: feed.items[0]?.project.id ?? "", repo: "konkan/sheds", kind: "other", status: 502 },
      ],
      skipped: [
        { project: { id: mended.id, key: "M", title: mended.title }, link: "https://git.example/konkan/harbour" },
      ],
    }));
    const activity = new ProjectActivity(page);
    await activity.open();
    const problems = page.getByRole("group").filter({ hasText: "3 repositories could not be read" });
    await expect(problems.getByText(MESSAGES.github.repositoryNotFound)).toBeHidden();
    await expect(activity.commit("Receipt prints in Marathi and English")).toBeVisible();
    await problems.getByText("3 repositories could not be read").click();
    for (const text of [
      MESSAGES.github.repositoryNotFound,
      MESSAGES.github.authenticationFailed,
      MESSAGES.github.failedWith(502),
    ]) {
      await expect(problems.getByText(text)).toBeVisible();
    }
    // Editing the link does not help when GitHub itself fails.
    await expect(problems.getByRole("button", { name: /^Edit Project/ })).toHaveCount(2);
    const skipped = page.getByRole("group").filter({ hasText: "1 project link is not a GitHub repository" });
    await skipped.getByText("1 project link is not a GitHub repository").click();
    await expect(skipped.getByText(MESSAGES.github.notARepository)).toBeVisible();
    await expectAccessible(page, problems);
    await expectAccessible(page, skipped);
    const edit = skipped.getByRole("button", { name: `Edit Project, ${mended.title}` });
    await edit.click();
    const form = page.getByRole("dialog", { name: "Edit Project" });
    await expect(form.getByLabel("GitHub link")).toHaveValue(mended.githubRepo);
    await page.keyboard.press("Escape");
    await expect(edit).toBeFocused();

    await test.step("in the list of projects such a link is a plain link with a hint", async () => {
      const githubRepo = "https://git.example/konkan/harbour";
      await admin.projects.update.mutate({ projectId: mended.id, version: 1, patch: { githubRepo } });
      await goInApp(page, "/admin");
      const all = new AllProjects(page);
      await all.header(mended.title).click();
      const row = all.row(mended.title);
      await expect(row.getByRole("link", { name: "git.example/konkan/harbour" })).toHaveAttribute("href", githubRepo);
      await expect(row.getByText(MESSAGES.github.notARepository)).toBeVisible();
    });
    await removeProjects(admin);
  });
});

test.describe("a client's Repository Activity", () => {
  test("is a timeline of the own projects' commits by task and day, ten a repository, with titles cut at 70 letters", async ({
    page,
  }) => {
    await signIn(page, CLIENT);
    const timeline = new Timeline(page);
    const commit = timeline.commit("Receipt prints in Marathi and English");
    await expect(commit).toContainText("Rohan Shah (rohan-demo) · ");
    const task = timeline.list.getByRole("listitem").filter({ hasText: "Receipt prints in Marathi" }).first();
    await expect(task.getByRole("heading")).toHaveText(/^Receipt PDF: 1 change/);
    await expect(task).toContainText(/Harbour booking portal · (Today|\d{1,2} \w{3,4} \d{4})/);
    await expect(commit.getByRole("link", { name: /^View on GitHub/ })).toHaveAttribute(
      "href",
      /^https:\/\/github\.com/,
    );
    await expect(timeline.list.getByRole("link", { name: /^View on GitHub/ })).toHaveCount(10);
    await expect(timeline.list.locator("code")).toHaveCount(0);

    const cut = timeline.commit(LONG);
    expect(LONG.slice(0, -3)).toHaveLength(70);
    await cut.getByRole("button", { name: /^Show full message/ }).press("Enter");
    const whole = timeline.list.getByText(/^Keep the week .* look for it again$/);
    await expect(whole).toBeVisible();
    await expect(timeline.list.locator("code")).toHaveText(["sangam-demo/harbour", /^[0-9a-f]{40}$/]);
    await expect(timeline.list.getByText(LONG, { exact: true })).toHaveCount(0);
    await page.getByRole("button", { name: /^Hide full message/ }).press("Enter");
    await expect(cut).toBeVisible();
    await expect(page.getByRole("button", { name: /Refresh Activity|Edit Project|Complete/ })).toHaveCount(0);

    await test.step("a task's commits are there to read, without the offer to complete it", async () => {
      const card = page.getByRole("article", { name: "Harbour booking portal" });
      const line = card.getByRole("listitem").filter({ hasText: "Receipt PDF" });
      const above = hold();
      await page.route(/signOffs\.list/, above.handler);
      const tasksAreRead = watchCalls(page, "tasks.list");
      await card.getByRole("button", { name: /^Show Details/ }).click();
      await tasksAreRead();
      // What comes above it later would push the button away while it is pressed.
      await expect(card.getByRole("status").filter({ hasText: "Loading tasks" })).toBeAttached();
      await expect(line).toHaveCount(0);
      above.release();
      await expect(line).toContainText("HBP-3");
      await line.getByRole("button", { name: "1 commit, Receipt PDF" }).click();
      await expect(line.getByRole("link", { name: /^Receipt prints/ })).toBeVisible();
      await expect(card.getByRole("button", { name: /^Complete/ })).toHaveCount(0);
      await expectAccessibleEverywhere(page, { within: card });
    });
  });

  test("that cannot be loaded says so beside the projects; each other state has a sentence of its own", async ({
    page,
    consoleGuard,
  }) => {
    consoleGuard.allow(/Failed to load resource/);
    const shown = new Timeline(page).commit("Receipt prints in Marathi and English");
    await page.route(COMMITS, (route) => route.abort());
    await signIn(page, CLIENT);
    await expect(page.getByRole("article", { name: "Harbour booking portal" })).toBeVisible();
    // What else was asked for in the same request fails, too.
    const failure = page.getByRole("alert").filter({ hasText: "Failed to load repository data: " });
    await expect(failure).toContainText(MESSAGES.general.unreachable);
    await page.unrouteAll({ behavior: "wait" });
    await failure.getByRole("button", { name: "Retry" }).click();
    await expect(shown).toBeVisible();

    await test.step("it comes also when the projects do not", async () => {
      await page.route(/projects\.list/, (route) => route.abort());
      await askAgain(page, "projects.list");
      await expect(page.getByRole("article", { name: "Harbour booking portal" })).toHaveCount(0);
      const read = watchCalls(page, "github.commits");
      await askAgain(page, "github.commits");
      await read();
      await expect(shown).toBeVisible();
    });

    await test.step("no repositories, no commits; neither sentence while the first reading runs", async () => {
      const none = "No repository commits found. Make sure your projects have linked repositories.";
      const empty = "No commits found in any repository. Check repository access permissions.";
      await page.unrouteAll({ behavior: "wait" });
      await answerCommits(page, () => ({ ...EMPTY_FEED, repositories: 0 }));
      await askAgain(page, "github.commits");
      await expect(page.getByText(none, { exact: true })).toBeVisible();
      await page.unrouteAll({ behavior: "wait" });
      await answerCommits(page, () => EMPTY_FEED);
      await askAgain(page, "github.commits");
      await expect(page.getByText(empty, { exact: true })).toBeVisible();
      await page.unrouteAll({ behavior: "wait" });
      await answerCommits(page, () => ({ ...EMPTY_FEED, refreshing: 1 }));
      await askAgain(page, "github.commits");
      await expect(page.getByText("Loading repository activity")).toBeAttached();
      await expect(page.getByText(none).or(page.getByText(empty))).toHaveCount(0);
    });

    await test.step("what could not be read is told without controls that mend it", async () => {
      await page.unrouteAll({ behavior: "wait" });
      await answerCommits(page, (feed) => ({
        ...feed,
        problems: [
          { projectId: feed.items[0]?.project.id ?? "", repo: "sangam-demo/harbour", kind: "not-found", status: 404 },
        ],
      }));
      await askAgain(page, "github.commits");
      const problems = page.getByRole("group").filter({ hasText: "1 repository could not be read" });
      await problems.getByText("1 repository could not be read").click();
      await expect(problems).toContainText("sangam-demo/harbour");
      await expect(problems.getByText(MESSAGES.github.repositoryNotFound)).toBeVisible();
      await expect(problems.getByRole("button")).toHaveCount(0);
      await expect(new Timeline(page).list).toBeVisible();
    });
  });
});

test.describe("commits on tasks", () => {
  test("are folded to their number, and one that finishes an open task offers to complete it", async ({ page }) => {
    await signIn(page, "rohan@sangam.example");
    const board = new Board(page);
    await board.tab("In Progress").click();
    await board.openPanel("Harbour booking portal");
    const panel = new TasksPanel(page, "Harbour booking portal");
    const row = panel.row("Receipt PDF");
    await expect(row).toContainText("HBP-3");
    const toggle = row.getByRole("button", { name: "1 commit, Receipt PDF" });
    await expect(toggle).toHaveAttribute("aria-expanded", "false");
    await toggle.press("Enter");
    const commits = row.getByRole("list", { name: "Commits, Receipt PDF" });
    await expect(
      commits.getByRole("link", { name: "Receipt prints in Marathi and English on GitHub" }),
    ).toHaveAttribute("href", /^https:\/\/github\.com\/sangam-demo\/harbour\/commit\//);
    await expect(commits).toContainText("Rohan Shah · ");
    // A commit that only mentions its task offers nothing.
    await expect(panel.row("Berth calendar: week view").getByRole("button", { name: /^Complete/ })).toHaveCount(0);

    const ticked = watchCalls(page, "tasks.setCompleted");
    await row.getByRole("button", { name: "Complete Receipt PDF" }).press("Enter");
    const box = page.getByRole("checkbox", { name: "Receipt PDF" });
    await expect(box).toBeChecked();
    await expect(box).toBeFocused();
    await expect(row.getByRole("button", { name: /^Complete/ })).toHaveCount(0);
    await ticked();
    // The answer to a tick does not include the commits.
    await expect(row.getByRole("button", { name: "1 commit, Receipt PDF" })).toBeVisible();
    await box.uncheck();
    await expect(row.getByRole("button", { name: "Complete Receipt PDF" })).toBeVisible();
    await ticked(2);
    const read = watchCalls(page, "tasks.list");
    await askAgain(page, "tasks.list");
    await read();
    await expect(box).not.toBeChecked();

    // The offer can be dismissed for good; the commit stays.
    await expect(row.getByRole("link", { name: /^A commit, Receipt prints in Marathi and English/ })).toHaveAttribute(
      "href",
      /^https:\/\/github\.com\/sangam-demo\/harbour\/commit\//,
    );
    await row.getByRole("link", { name: "HBP-3" }).click();
    const sheet = page.getByRole("dialog", { name: /Receipt PDF/ });
    const onSheet = sheet.getByRole("region", { name: "Commits" });
    await expect(
      onSheet.getByRole("link", { name: "Receipt prints in Marathi and English on GitHub" }),
    ).toHaveAttribute("href", /^https:\/\/github\.com\/sangam-demo\/harbour\/commit\//);
    await expectAccessibleEverywhere(page, { within: sheet });
    await page.goBack();
    await expect(sheet).toBeHidden();
    await row.getByRole("button", { name: "Dismiss, Receipt PDF" }).press("Enter");
    await expect(row.getByRole("button", { name: /^Complete/ })).toHaveCount(0);
    await expect(box).toBeFocused();
    await page.reload();
    await expect(toggle).toBeVisible();
    await expect(row.getByRole("button", { name: /^Complete/ })).toHaveCount(0);
    await expect(box).not.toBeChecked();
  });
});
