import { existsSync, readFileSync } from "node:fs";
import { BlockList, isIP } from "node:net";
import { join, resolve } from "node:path";
import { parseEnv as parseEnvFile } from "node:util";
import * as z from "zod/mini";
import { LOG_LEVELS, type LogLevel } from "./logger";

/** The settings of the server, checked; what is unset and has no default is null. `.env.example` documents each. */
export type Env = {
  port: number;
  host: string;
  /** The origin under which people reach the server, without a slash at the end. */
  publicUrl: string;
  /** Null: the embedded PostgreSQL. */
  databaseUrl: string | null;
  /** Absolute. */
  dataDir: string;
  demo: boolean;
  /** The first admin to make when there is none. */
  admin: { email: string; password: string; name: string } | null;
  /** What `npm run admin` takes instead of asking. */
  adminPassword: string | null;
  /** Both null: made once and kept in the data folder. Never null with a databaseUrl. */
  betterAuthSecret: string | null;
  tokenEncryptionKey: string | null;
  /** Keys from before, with which stored tokens can still be read. */
  oldTokenEncryptionKeys: string[];
  /** Null: mails go to DATA_DIR/outbox. */
  smtpUrl: string | null;
  mailFrom: string;
  contactEmail: string | null;
  google: { clientId: string; clientSecret: string; issuer: string } | null;
  github: { apiUrl: string; webhookSecret: string | null };
  /** IP addresses and CIDR ranges whose X-Forwarded-For is believed. */
  trustedProxies: string[];
  /** 0 switches the limits off, for tests. */
  rateLimitMultiplier: number;
  logLevel: LogLevel;
};

/** What the environment may hold, before it is checked. */
export type EnvSource = Readonly<Record<string, string | undefined>>;

export type EnvResult = { env: Env; problems?: never } | { env?: never; problems: string[] };

/** Reads `.env` in `root` and the process environment over it, once at start. */
export function readEnv(root: string): EnvResult {
  const file = join(root, ".env");
  const fromFile = existsSync(file) ? parseEnvFile(readFileSync(file, "utf8")) : {};
  return parseEnv({ ...fromFile, ...process.env }, root);
}

/**
 * Checks all settings at once. An empty variable counts as unset. `problems` has one sentence for each variable at
 * fault, beginning with its name; a sentence never repeats the value, which may be a secret.
 */
export function parseEnv(source: EnvSource, root: string = process.cwd()): EnvResult {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value?.trim()));
  const parsed = variables.safeParse(given);
  const problems = [
    ...(parsed.error?.issues ?? []).map((issue) => `${String(issue.path[0])} ${issue.message}.`),
    ...missing(given),
  ];
  if (!parsed.success || problems.length > 0) return { problems: problems.sort() };
  const v = parsed.data;
  return {
    env: {
      port: v.PORT,
      host: v.HOST,
      publicUrl: v.PUBLIC_URL ?? `http://${reachable(v.HOST)}:${v.PORT}`,
      databaseUrl: v.DATABASE_URL ?? null,
      dataDir: resolve(root, v.DATA_DIR),
      demo: v.DEMO ?? v.DATABASE_URL === undefined,
      admin:
        v.ADMIN_EMAIL && v.ADMIN_PASSWORD
          ? { email: v.ADMIN_EMAIL, password: v.ADMIN_PASSWORD, name: v.ADMIN_NAME }
          : null,
      adminPassword: v.ADMIN_PASSWORD ?? null,
      betterAuthSecret: v.BETTER_AUTH_SECRET ?? null,
      tokenEncryptionKey: v.TOKEN_ENCRYPTION_KEY ?? null,
      oldTokenEncryptionKeys: v.TOKEN_ENCRYPTION_KEY_OLD,
      smtpUrl: v.SMTP_URL ?? null,
      mailFrom: v.MAIL_FROM,
      contactEmail: v.CONTACT_EMAIL ?? null,
      google:
        v.GOOGLE_CLIENT_ID && v.GOOGLE_CLIENT_SECRET
          ? { clientId: v.GOOGLE_CLIENT_ID, clientSecret: v.GOOGLE_CLIENT_SECRET, issuer: v.GOOGLE_ISSUER }
          : null,
      github: { apiUrl: v.GITHUB_API_URL, webhookSecret: v.GITHUB_WEBHOOK_SECRET ?? null },
      trustedProxies: v.TRUSTED_PROXIES,
      rateLimitMultiplier: v.RATE_LIMIT_MULTIPLIER,
      logLevel: v.LOG_LEVEL,
    },
  };
}

/** Variables that another one calls for. */
function missing(given: EnvSource): string[] {
  const rules: [boolean, string[], string][] = [
    [
      given.DATABASE_URL !== undefined,
      ["BETTER_AUTH_SECRET", "TOKEN_ENCRYPTION_KEY"],
      "is required with DATABASE_URL, the same for all servers of one database: make one with `openssl rand -hex 32`.",
    ],
    [given.ADMIN_EMAIL !== undefined, ["ADMIN_PASSWORD"], "is required with ADMIN_EMAIL."],
    [given.GOOGLE_CLIENT_ID !== undefined, ["GOOGLE_CLIENT_SECRET"], "is required with GOOGLE_CLIENT_ID."],
    [given.GOOGLE_CLIENT_SECRET !== undefined, ["GOOGLE_CLIENT_ID"], "is required with GOOGLE_CLIENT_SECRET."],
    [given.SMTP_URL !== undefined, ["MAIL_FROM"], "is required with SMTP_URL: servers refuse mail without a sender."],
  ];
  return rules.flatMap(([applies, names, sentence]) =>
    names.filter((name) => applies && given[name] === undefined).map((name) => `${name} ${sentence}`),
  );
}

const text = (minLength: number, message: string) => z.string(message).check(z.minLength(minLength, message));

const url = (protocols: string[], message: string) =>
  z.string().check(z.refine((value) => protocols.includes(urlOf(value)?.protocol ?? ""), message));

const email = z.string().check(z.trim(), z.email("must be an e-mail address"), z.toLowerCase());

const secret = z.optional(text(32, "must have at least 32 characters: make one with `openssl rand -hex 32`"));

const webUrl = (message: string) =>
  z.pipe(
    url(["http:", "https:"], message),
    z.transform((value: string) => value.replace(/\/+$/, "")),
  );

const variables = z.object({
  PORT: z._default(
    z.pipe(
      z
        .string()
        .check(
          z.refine(
            (value) => /^\d{1,5}$/.test(value) && Number(value) >= 1 && Number(value) <= 65535,
            "must be a number from 1 to 65535",
          ),
        ),
      z.transform(Number),
    ),
    3000,
  ),
  HOST: z._default(
    z.string().check(z.regex(/^[\w.:-]+$/, "must be an address to listen on, such as 127.0.0.1 or 0.0.0.0")),
    "127.0.0.1",
  ),
  PUBLIC_URL: z.optional(
    z.pipe(
      z
        .string()
        .check(
          z.refine(
            isOrigin,
            "must be the address that people type, such as https://sangam.example, without a path behind it",
          ),
        ),
      z.transform((value: string) => new URL(value).origin),
    ),
  ),
  DATABASE_URL: z.optional(
    url(["postgres:", "postgresql:"], "must be like postgres://user:password@host:5432/database"),
  ),
  DATA_DIR: z._default(z.string(), ".data"),
  DEMO: z.optional(
    z.pipe(
      z.enum(["0", "1"], "must be 0 or 1"),
      z.transform((value: "0" | "1") => value === "1"),
    ),
  ),
  ADMIN_EMAIL: z.optional(email),
  ADMIN_PASSWORD: z.optional(
    text(6, "must have at least 6 characters").check(z.maxLength(128, "must have at most 128 characters")),
  ),
  ADMIN_NAME: z._default(z.string().check(z.maxLength(100, "must have at most 100 characters")), "Admin"),
  BETTER_AUTH_SECRET: secret,
  TOKEN_ENCRYPTION_KEY: secret,
  TOKEN_ENCRYPTION_KEY_OLD: z._default(
    z.pipe(
      z
        .string()
        .check(
          z.refine(
            (value) => list(value).every((key) => key.length >= 32),
            "must be former values of TOKEN_ENCRYPTION_KEY, with commas between",
          ),
        ),
      z.transform(list),
    ),
    [],
  ),
  SMTP_URL: z.optional(url(["smtp:", "smtps:"], "must be like smtp://user:password@host:587")),
  MAIL_FROM: z._default(
    z
      .string()
      .check(z.regex(/^[^<>@\s]+@[^<>@\s]+$|^[^<>]+<[^<>@\s]+@[^<>@\s]+>$/, "must be an address or Name <address>")),
    "Sangam <sangam@localhost>",
  ),
  CONTACT_EMAIL: z.optional(email),
  GOOGLE_CLIENT_ID: z.optional(z.string()),
  GOOGLE_CLIENT_SECRET: z.optional(z.string()),
  GOOGLE_ISSUER: z._default(webUrl("must be an http or https address"), "https://accounts.google.com"),
  GITHUB_API_URL: z._default(webUrl("must be an http or https address"), "https://api.github.com"),
  GITHUB_WEBHOOK_SECRET: z.optional(z.string()),
  TRUSTED_PROXIES: z._default(
    z.pipe(
      z
        .string()
        .check(
          z.refine(
            (value) => list(value).every(isNetwork),
            "must be IP addresses or ranges such as 10.0.0.0/8, with commas between",
          ),
        ),
      z.transform(list),
    ),
    [],
  ),
  RATE_LIMIT_MULTIPLIER: z._default(
    z.pipe(z.string().check(z.regex(/^\d{1,6}(\.\d+)?$/, "must be a number, 0 for no limits")), z.transform(Number)),
    1,
  ),
  LOG_LEVEL: z._default(z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(", ")}`), "info"),
});

/** Listening on all addresses is no address that a browser can open. */
function reachable(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}

function urlOf(value: string): URL | null {
  return URL.canParse(value) ? new URL(value) : null;
}

function isOrigin(value: string): boolean {
  const parsed = urlOf(value);
  return parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.href === `${parsed.origin}/`;
}

function list(value: string): string[] {
  return value
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

function isNetwork(value: string): boolean {
  const [address = "", bits] = value.split("/");
  const family = isIP(address);
  if (family === 0) return false;
  if (bits === undefined) return true;
  try {
    new BlockList().addSubnet(address, /^\d+$/.test(bits) ? Number(bits) : -1, family === 4 ? "ipv4" : "ipv6");
    return true;
  } catch {
    return false;
  }
}
