import { expect, test } from "vitest";
import { findProgram } from "../../scripts/find-program.mjs";
import { mailsTo } from "../mail";
import { startMixedLoad } from "../mixed-load";
import { startProxiedServers } from "../proxied-servers";

const MAILED = ["mitali", "meera", "vikram"].map((name) => `${name}@sangam.example`);

const HAS_NGINX = (await findProgram("nginx")) !== null;

test.skipIf(!HAS_NGINX)(
  "two servers behind nginx restart in turn under load: no call fails, no stream misses anything, and each mail is sent once",
  async () => {
    const proxied = await startProxiedServers({ count: 2, env: { DEMO: "1" } });
    try {
      const load = await startMixedLoad(proxied);
      for (const server of proxied.servers) {
        const mailed = MAILED.map((email) => requestPasswordReset(proxied.url, email));
        expect(await server.stop()).toBe(0);
        await Promise.all(mailed);
        await server.start();
      }
      const { failures, lost, resumed, calls } = await load.stop();
      expect({ failures, lost }).toEqual({ failures: [], lost: [] });
      const mails = () => MAILED.map((email) => proxied.servers.flatMap((server) => mailsTo(server, email)).length);
      await expect.poll(mails).toEqual(MAILED.map(() => proxied.servers.length));
      // All streams were on one of the two at least once.
      expect(resumed).toBeGreaterThanOrEqual(12);
      expect(Object.keys(calls).toSorted()).toEqual(["board read", "message", "new task", "page", "sign-in", "tick"]);
    } finally {
      await proxied.close();
    }
  },
);

async function requestPasswordReset(url: string, email: string): Promise<void> {
  const answer = await fetch(`${url}/api/trpc/auth.requestPasswordReset`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ json: { email } }),
  });
  expect(answer.status).toBe(200);
}
