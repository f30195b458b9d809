import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Env, type EnvSource, parseEnv, readEnv } from "./env";
import { variables } from "./env-variables";
import { KeptSecretError, loadSecrets } from "./secrets";

const KEY = "k".repeat(32);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sangam-env-"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

describe("parseEnv", () => {
  test("every setting is explained in .env.example and in docs/deploy.md, and nothing that is none", () => {
    // The others of OTEL_ are OpenTelemetry's own, and as its documentation says.
    const isOurs = (name: string) => !name.startsWith("OTEL_") || name === "OTEL_EXPORTER_OTLP_ENDPOINT";
    const settings = Object.keys(variables.shape).filter(isOurs).toSorted();
    const example = readFileSync(".env.example", "utf8").matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm);
    expect([...new Set([...example].map(([, name]) => name))].toSorted()).toEqual(settings);
    const [, table = ""] = /^## Settings\n(.*?)^## /ms.exec(readFileSync("docs/deploy.md", "utf8")) ?? [];
    const firstCells = table.split("\n").map((line) => line.split("|")[1] ?? "");
    const explained = firstCells.flatMap((cell) => [...cell.matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name]) => name));
    expect(explained.toSorted()).toEqual(settings);
  });

  test("the first admin's e-mail is lower-cased, as the database wants it", () => {
    const { admin } = valid({ ADMIN_EMAIL: "Boss@Firm.example", ADMIN_PASSWORD: "first-of-all-1" });
    expect(admin).toEqual({ email: "boss@firm.example", password: "first-of-all-1", name: "Admin" });
  });

  test("nothing set gives the demo on the built-in database", () => {
    expect(valid({})).toEqual({
      port: 3000,
      host: "127.0.0.1",
      publicUrl: "http://127.0.0.1:3000",
      databaseUrl: null,
      dataDir: join(folder, ".data"),
      pubsubUrl: null,
      filesQuotaBytes: 10_000_000_000,
      s3Url: null,
      demo: true,
      demoAnywhere: false,
      admin: null,
      adminPassword: null,
      betterAuthSecret: null,
      tokenEncryptionKey: null,
      oldBetterAuthSecrets: [],
      oldTokenEncryptionKeys: [],
      smtpUrl: null,
      mailFrom: "Sangam <sangam@localhost>",
      contactEmail: null,
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      google: null,
      github: { apiUrl: "https://api.github.com", webhookSecret: null },
      trustedProxies: [],
      drainSeconds: 0,
      backup: { dir: null, keep: 14, passphrase: null },
      liveLinkCheckSeconds: 600,
      outgoing: { allowLoopback: false },
      metrics: { port: null, token: null },
      tracing: null,
      rateLimitMultiplier: 1,
      logLevel: "info",
    });
  });

  test("metrics have a port of their own, or none", () => {
    expect(valid({ METRICS_PORT: "9464", METRICS_TOKEN: "scrape" }).metrics).toEqual({ port: 9464, token: "scrape" });
    const problems = parseEnv({ PORT: "4000", METRICS_PORT: "4000" }, folder).problems;
    expect(problems).toEqual([expect.stringMatching(/^METRICS_PORT must be another port than PORT/)]);
  });

  test("a database of one's own has no demo unless asked for", () => {
    const own = { DATABASE_URL: "postgres://u:p@db/sangam", BETTER_AUTH_SECRET: KEY, TOKEN_ENCRYPTION_KEY: KEY };
    expect(valid(own).demo).toBe(false);
    expect(valid({ ...own, DEMO: "1" }).demo).toBe(true);
    expect(valid({ DEMO: "0" }).demo).toBe(false);
  });

  test.each([
    [{}, true],
    [{ HOST: "127.8.9.1" }, true],
    [{ HOST: "::1" }, true],
    [{ HOST: "0:0:0:0:0:0:0:1" }, true],
    [{ HOST: "LocalHost" }, true],
    [{ PUBLIC_URL: "http://localhost:3000" }, true],
    [{ PUBLIC_URL: "http://127.1:8080" }, true],
    [{ PUBLIC_URL: "http://[::1]:3000" }, true],
    [{ PUBLIC_URL: "http://sangam.localhost" }, true],
    [{ HOST: "::1", PUBLIC_URL: "http://localhost" }, true],
    [{ PUBLIC_URL: "https://firm.example" }, false],
    [{ PUBLIC_URL: "https://localhost.firm.example" }, false],
    [{ PUBLIC_URL: "https://notlocalhost" }, false],
    [{ PUBLIC_URL: "http://127.0.0.1.firm.example" }, false],
    [{ PUBLIC_URL: "http://192.168.1.20:3000" }, false],
    [{ PUBLIC_URL: "http://[::]:3000" }, false],
    [{ PUBLIC_URL: "http://[::ffff:10.0.0.1]" }, false],
    [{ HOST: "0.0.0.0" }, false],
    [{ HOST: "0" }, false],
    [{ HOST: "::" }, false],
    [{ HOST: "192.168.1.20" }, false],
    [{ HOST: "2001:db8::1" }, false],
    [{ HOST: "sangam.internal" }, false],
    [{ HOST: "0.0.0.0", PUBLIC_URL: "http://localhost:3000" }, false],
    [{ HOST: "127.0.0.1", PUBLIC_URL: "https://firm.example" }, false],
  ])("the demo is open by default only where nobody else can reach it: %j", (source: EnvSource, isOpen) => {
    expect(valid(source)).toMatchObject({ demo: isOpen, demoAnywhere: false });
    const asked = parseEnv({ ...source, DEMO: "1" }, folder);
    if (isOpen) expect(asked.env).toMatchObject({ demo: true, demoAnywhere: false });
    else {
      expect(asked.problems).toEqual([expect.stringMatching(/^DEMO .*ADMIN_EMAIL.*DEMO_ANYWHERE=1/)]);
      expect(valid({ ...source, DEMO: "1", DEMO_ANYWHERE: "1" })).toMatchObject({ demo: true, demoAnywhere: true });
    }
    expect(valid({ ...source, DEMO_ANYWHERE: "1" }).demo).toBe(isOpen);
    expect(valid({ ...source, DEMO: "0", DEMO_ANYWHERE: "1" })).toMatchObject({ demo: false, demoAnywhere: false });
  });

  test("every problem is listed at once, by name, without the value", () => {
    const bad = {
      PORT: "hunter2",
      HOST: "hunter2 hunter2",
      PUBLIC_URL: "https://hunter2.example/path",
      DATABASE_URL: "mysql://hunter2",
      DEMO: "hunter2",
      DEMO_ANYWHERE: "hunter2",
      ADMIN_EMAIL: "hunter2",
      BETTER_AUTH_SECRET: "hunter2",
      SMTP_URL: "hunter2",
      PUBSUB_URL: "redis://:hunter2@bus:hunter2",
      GOOGLE_CLIENT_ID: "hunter2",
      GITHUB_API_URL: "hunter2",
      TRUSTED_PROXIES: "10.0.0.0/8,10.0.0.0/33,hunter2",
      RATE_LIMIT_MULTIPLIER: "-1",
      LOG_LEVEL: "hunter2",
    };
    const problems = parseEnv(bad, folder).problems ?? [];
    expect(problems.map((sentence) => sentence.split(" ")[0])).toEqual(
      [...Object.keys(bad), "ADMIN_PASSWORD", "GOOGLE_CLIENT_SECRET", "MAIL_FROM", "TOKEN_ENCRYPTION_KEY"]
        .filter((name) => name !== "GOOGLE_CLIENT_ID")
        .sort(),
    );
    expect(problems.join(" ")).not.toContain("hunter2");
  });

  test.each(["-1", "1.5", "1000", "5s"])("DRAIN_SECONDS %j", (seconds) => {
    expect(parseEnv({ DRAIN_SECONDS: seconds }, folder).problems).toEqual([
      "DRAIN_SECONDS must be a number of seconds from 0 to 999.",
    ]);
  });

  test.each(["IST", "EST", "GMT", "+05:30", "Mars/Olympus"])("TIME_ZONE %j", (zone) => {
    expect(parseEnv({ TIME_ZONE: zone }, folder).problems).toEqual([
      "TIME_ZONE must be the name of a time zone, such as Europe/London or Asia/Kolkata.",
    ]);
  });

  test.each(["0", "65536", "80.5", "1e3", " "])("PORT %j", (port) => {
    expect(parseEnv({ PORT: port }, folder).problems ?? []).toHaveLength(port === " " ? 0 : 1);
  });

  test("an address that people type is kept as its origin", () => {
    expect(valid({ PUBLIC_URL: "HTTPS://Sangam.Example/" }).publicUrl).toBe("https://sangam.example");
    expect(valid({ HOST: "0.0.0.0", PORT: "8080" }).publicUrl).toBe("http://localhost:8080");
  });

  test.each([
    ["redis://bus", true],
    ["rediss://user:p%40ss@bus.firm.example:6380/3", true],
    ["redis://[::1]:6379/", true],
    ["http://bus:6379", false],
    ["redis:///1", false],
    ["bus:6379", false],
    ["redis://:p%ss@bus", false],
    ["redis://bus/people", false],
    ["redis://bus/1?tls=yes", false],
  ])("PUBSUB_URL %s", (PUBSUB_URL, isOne) => {
    const { env, problems } = parseEnv({ PUBSUB_URL }, folder);
    if (isOne) expect(env?.pubsubUrl).toBe(PUBSUB_URL);
    else expect(problems).toEqual([expect.stringMatching(/^PUBSUB_URL must be like redis:/)]);
  });

  test.each([
    ["SMTP_URL", "smtp://user:p%2F%23%25@mail.firm.example:587", true],
    ["SMTP_URL", "smtps://mail.firm.example/?name=sangam", true],
    ["SMTP_URL", "smtp://user:50%off@mail.firm.example:587", false],
    ["SMTP_URL", "smtp://AKIA:ab/cd+e=@email-smtp.eu-west-1.amazonaws.com:587", false],
    ["SMTP_URL", "smtp://user:12/3@mail.firm.example", false],
    ["SMTP_URL", "smtp://user:12#3@mail.firm.example", false],
    ["SMTP_URL", "smtp://user:12?3@mail.firm.example", false],
    ["DATABASE_URL", "postgresql://user:p%2F@localhost/sangam?host=/run/postgresql", true],
    ["DATABASE_URL", "postgres://user:50%off@db/sangam", false],
    ["DATABASE_URL", "postgres://user:pass@db/50%off", false],
    ["DATABASE_URL", "postgres://user:1/2@db/sangam", false],
    ["S3_URL", "https://KEY:a%2Fb%2B@s3.example/bucket/a%20folder?region=eu", true],
    ["S3_URL", "https://KEY:50%off@s3.example/bucket", false],
    ["PUBSUB_URL", "redis://:50%off@bus", false],
  ])("signs of a password that an address cannot have: %s %s", (name, value, isOne) => {
    const given = { MAIL_FROM: "a@b.example", BETTER_AUTH_SECRET: KEY, TOKEN_ENCRYPTION_KEY: KEY };
    const { problems = [] } = parseEnv({ ...given, [name]: value }, folder);
    const said = `${name} must be like .*, with signs such as / # and % in a .* as %2F, %23 and %25\\.`;
    expect(problems).toEqual(isOne ? [] : [expect.stringMatching(said)]);
  });

  test("proxies are addresses and ranges", () => {
    const trustedProxies = ["127.0.0.1", "10.0.0.0/8", "::1", "fd00::/8"];
    expect(valid({ TRUSTED_PROXIES: trustedProxies.join(" , ") }).trustedProxies).toEqual(trustedProxies);
  });

  test(".env is read, and the process wins over it", () => {
    writeFileSync(join(folder, ".env"), "LOG_LEVEL=warn\n");
    vi.stubEnv("LOG_LEVEL", undefined);
    expect(readEnv(folder).env?.logLevel).toBe("warn");
    vi.stubEnv("LOG_LEVEL", "error");
    expect(readEnv(folder).env?.logLevel).toBe("error");
  });
});

describe("loadSecrets", () => {
  test("secrets are made once, differ, and are readable by their owner only", () => {
    const env = valid({});
    const first = loadSecrets(env);
    expect(first.betterAuthSecret).toMatch(/^[0-9a-f]{64}$/);
    expect(first.tokenEncryptionKey).not.toBe(first.betterAuthSecret);
    expect(loadSecrets(env)).toEqual(first);
    const files = readdirSync(env.dataDir);
    expect(files).toHaveLength(2);
    for (const name of files) expect(statSync(join(env.dataDir, name)).mode & 0o777).toBe(0o600);
  });

  test.each(["better-auth-secret", "token-encryption-key"])(
    "an empty file %s, as a power cut leaves it, is refused in a sentence",
    (name) => {
      const env = valid({});
      loadSecrets(env);
      const file = join(env.dataDir, name);
      writeFileSync(file, "");
      expect(() => loadSecrets(env)).toThrow(KeptSecretError);
      expect(() => loadSecrets(env)).toThrow(`The secret in ${file} has 0 of at least 32 characters.`);
      expect(readFileSync(file, "utf8")).toBe("");
    },
  );

  test("given secrets leave no file behind", () => {
    const env = valid({ BETTER_AUTH_SECRET: KEY, TOKEN_ENCRYPTION_KEY: KEY });
    expect(loadSecrets(env)).toEqual({
      betterAuthSecret: KEY,
      tokenEncryptionKey: KEY,
      oldBetterAuthSecrets: [],
      oldTokenEncryptionKeys: [],
    });
    expect(() => statSync(env.dataDir)).toThrow();
  });
});

function valid(source: EnvSource): Env {
  const { env, problems } = parseEnv(source, folder);
  if (env === undefined) throw new Error(problems.join("\n"));
  return env;
}
