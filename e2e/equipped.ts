import { type GitHubServer, startGitHubServer } from "../server/test/github-server";
import { test as base } from "./fixtures";
import { type OpenIdProvider, startOpenIdProvider } from "./openid-provider";
import { disposeServer, startServer } from "./server";

type Stands = {
  /** In the place of Google. */
  provider: OpenIdProvider;
  /** In the place of GitHub. */
  github: GitHubServer;
};

/** Of the calls with which GitHub reports a push. */
export const WEBHOOK_SECRET = "a-secret-of-the-webhook";

/**
 * Tests of a server with more than the demo has: sign-in through Google, GitHub and frequent checks of live links, on loopback.
 * One worker runs them all (playwright.config.ts), as long as their files add no fixture of a worker's scope.
 */
export const test = base.extend<object, Stands>({
  provider: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from the pattern.
    async ({}, use) => {
      const provider = await startOpenIdProvider();
      await use(provider);
      await provider.close();
    },
    { scope: "worker" },
  ],
  github: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from the pattern.
    async ({}, use) => {
      const github = await startGitHubServer();
      await use(github);
      await github.close();
    },
    { scope: "worker" },
  ],
  server: [
    async ({ provider, github }, use) => {
      const server = await startServer({
        ...provider.settings,
        GITHUB_API_URL: github.url,
        GITHUB_WEBHOOK_SECRET: WEBHOOK_SECRET,
        LIVE_LINK_CHECK_SECONDS: "4",
      });
      provider.allowReturnTo(server.url);
      await use(server);
      await disposeServer(server);
    },
    { scope: "worker", timeout: 180_000 },
  ],
});
