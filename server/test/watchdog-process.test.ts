import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTestDatabase } from "./db";
import { openFaultProxy, socketPathOf } from "./fault-proxy";
import { freePort } from "./free-port";

test("a server whose driver has forgotten a call ends itself, and says why", async () => {
  const database = await createTestDatabase();
  let isSilent = false;
  const proxy = await openFaultProxy(
    () => socketPathOf(database.connection),
    () => !isSilent,
  );
  const dataDir = mkdtempSync(join(tmpdir(), "sangam-stuck-"));
  const { username, database: name } = database.connection;
  const server = spawn(
    process.execPath,
    ["--import", new URL("./stuck-driver.mjs", import.meta.url).href, "--import", "tsx", "server/index.ts"],
    {
      env: {
        PATH: process.env.PATH,
        PORT: String(await freePort()),
        DATA_DIR: dataDir,
        DATABASE_URL: `postgres://${username}@127.0.0.1:${proxy.port}/${name}`,
        BETTER_AUTH_SECRET: randomBytes(32).toString("hex"),
        TOKEN_ENCRYPTION_KEY: randomBytes(32).toString("hex"),
        DEMO: "0",
      },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let errors = "";
  server.stderr.setEncoding("utf8").on("data", (part: string) => {
    errors += part;
  });
  const exit = once(server, "exit");
  const url = await Promise.race([untilReady(server.stdout), exit.then(() => fail(errors))]);
  isSilent = true;
  const asked = { json: { email: "asha@firm.example", password: "of no account", rememberMe: false } };
  void fetch(`${url}/api/trpc/auth.signIn`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(asked),
  }).catch(() => {});
  // The call may begin after the first of them.
  const leaps = setInterval(() => server.kill("SIGUSR2"), 200);
  await expect.poll(() => errors, { timeout: 60_000 }).toContain("a database call is stuck");
  clearInterval(leaps);
  // Otherwise closing the pool takes all the time that a stop may take.
  await proxy.close();
  expect((await exit)[0]).toBe(1);
  expect(errors).toContain("The server stops: calls of the database no longer come to an end.");
  await database.close();
  rmSync(dataDir, { recursive: true, force: true });
}, 90_000);

function untilReady(output: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve) => {
    let said = "";
    output.setEncoding("utf8").on("data", (part: string) => {
      said += part;
      const [, url] = /^ready (\S+)$/m.exec(said) ?? [];
      if (url !== undefined) resolve(url);
    });
  });
}

function fail(reason: string): never {
  throw new Error(reason);
}
