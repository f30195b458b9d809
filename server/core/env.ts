import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseEnv as parseEnvFile } from "node:util";
import type * as z from "zod/mini";
import { isTimeZone } from "../contract/organisation";
import { variables } from "./env-variables";
import type { LogLevel } from "./logger";
import { isLoopback } from "./loopback";

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
  /** A Redis or Valkey by which processes notify each other; null: PostgreSQL. */
  pubsubUrl: string | null;
  demo: boolean;
  /** The demo is open where others than this machine can reach it, by the operator's own word. */
  demoAnywhere: boolean;
  /** The first admin to make when there is none. */
  admin: { email: string; password: string; name: string } | null;
  /** What `npm run admin` takes instead of asking. */
  adminPassword: string | null;
  /** Both null: made once and kept in the data folder. Never null with a databaseUrl. */
  betterAuthSecret: string | null;
  tokenEncryptionKey: string | null;
  /** Former values: what they signed still counts, and what they sealed can be read. */
  oldBetterAuthSecrets: string[];
  oldTokenEncryptionKeys: string[];
  /** Null: mails go to DATA_DIR/outbox. */
  smtpUrl: string | null;
  mailFrom: string;
  contactEmail: string | null;
  /** The organisation's time zone until an admin chooses one; without a setting the machine's. */
  timeZone: string;
  google: { clientId: string; clientSecret: string; issuer: string } | null;
  github: { apiUrl: string; webhookSecret: string | null };
  /** IP addresses and CIDR ranges whose X-Forwarded-For is believed. */
  trustedProxies: string[];
  /** How long a server that is told to stop goes on accepting, while /readyz already answers 503. */
  drainSeconds: number;
  backup: {
    /** Where one is written each night, absolute; null for nowhere. */
    dir: string | null;
    /** How many are kept. */
    keep: number;
    /** Encrypts the secrets in them; null leaves these out. */
    passphrase: string | null;
  };
  /** A bucket for uploaded files, with its keys; null: they are kept in the data folder. */
  s3Url: string | null;
  /** How large all uploaded files together may become. */
  filesQuotaBytes: number;
  /** Between two checks of a live link; 0 for none at all. */
  liveLinkCheckSeconds: number;
  /** Whether webhooks and checks of live links may ask this machine itself: for tests. */
  outgoing: { allowLoopback: boolean };
  metrics: {
    /** A port of its own for them, on the same host; null for none. */
    port: number | null;
    /** What a request on the ordinary port has to bring; null: there they are not. */
    token: string | null;
  };
  /** How traces go to OTEL_EXPORTER_OTLP_ENDPOINT; null without one. The library reads what else there is to set. */
  tracing: { protocol: "http/json" | "http/protobuf" } | null;
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
  // The library for traces reads its own settings.
  for (const [name, value] of Object.entries(fromFile)) if (name.startsWith("OTEL_")) process.env[name] ??= value;
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
    ...(parsed.success && isOpenDemo(parsed.data) && !parsed.data.DEMO_ANYWHERE ? [DEMO_REFUSED] : []),
    ...(parsed.success && parsed.data.METRICS_PORT === parsed.data.PORT ? [SAME_PORT] : []),
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
      pubsubUrl: v.PUBSUB_URL ?? null,
      demo: v.DEMO ?? (v.DATABASE_URL === undefined && isLocal(v)),
      demoAnywhere: isOpenDemo(v),
      admin:
        v.ADMIN_EMAIL && v.ADMIN_PASSWORD
          ? { email: v.ADMIN_EMAIL, password: v.ADMIN_PASSWORD, name: v.ADMIN_NAME }
          : null,
      adminPassword: v.ADMIN_PASSWORD ?? null,
      betterAuthSecret: v.BETTER_AUTH_SECRET ?? null,
      tokenEncryptionKey: v.TOKEN_ENCRYPTION_KEY ?? null,
      oldBetterAuthSecrets: v.BETTER_AUTH_SECRET_OLD,
      oldTokenEncryptionKeys: v.TOKEN_ENCRYPTION_KEY_OLD,
      smtpUrl: v.SMTP_URL ?? null,
      mailFrom: v.MAIL_FROM,
      contactEmail: v.CONTACT_EMAIL ?? null,
      timeZone: v.TIME_ZONE ?? machineTimeZone(),
      google:
        v.GOOGLE_CLIENT_ID && v.GOOGLE_CLIENT_SECRET
          ? { clientId: v.GOOGLE_CLIENT_ID, clientSecret: v.GOOGLE_CLIENT_SECRET, issuer: v.GOOGLE_ISSUER }
          : null,
      github: { apiUrl: v.GITHUB_API_URL, webhookSecret: v.GITHUB_WEBHOOK_SECRET ?? null },
      trustedProxies: v.TRUSTED_PROXIES,
      drainSeconds: v.DRAIN_SECONDS,
      backup: {
        dir: v.BACKUP_DIR === undefined ? null : resolve(root, v.BACKUP_DIR),
        keep: v.BACKUP_KEEP,
        passphrase: v.BACKUP_PASSPHRASE ?? null,
      },
      s3Url: v.S3_URL ?? null,
      filesQuotaBytes: v.FILES_QUOTA_GB * 1_000_000_000,
      liveLinkCheckSeconds: v.LIVE_LINK_CHECK_SECONDS,
      outgoing: { allowLoopback: v.OUTGOING_ALLOW_LOOPBACK },
      metrics: { port: v.METRICS_PORT ?? null, token: v.METRICS_TOKEN ?? null },
      tracing: isTraced(v) ? { protocol: v.OTEL_EXPORTER_OTLP_PROTOCOL } : null,
      rateLimitMultiplier: v.RATE_LIMIT_MULTIPLIER,
      logLevel: v.LOG_LEVEL,
    },
  };
}

function machineTimeZone(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return isTimeZone(timeZone) ? timeZone : "UTC";
}

const DEMO_REFUSED =
  "DEMO may be 1 only where HOST and PUBLIC_URL are loopback: its passwords are public, so anyone could log in as an admin. " +
  "Set DEMO=0 and make an admin of your own with ADMIN_EMAIL and ADMIN_PASSWORD, or set DEMO_ANYWHERE=1 to open the demo to everyone.";

const SAME_PORT = "METRICS_PORT must be another port than PORT; with METRICS_TOKEN, PORT has /metrics too.";

/** Printed at every start of a demo that others than this machine can reach. */
export const DEMO_ANYWHERE_WARNING =
  "DEMO_ANYWHERE=1: the demo accounts and their printed passwords are open to everyone who can reach this server. " +
  "Keep nothing in it that others may not read or change.\n";

type Address = Pick<z.infer<typeof variables>, "HOST" | "PUBLIC_URL">;

/** Whether nobody but this machine is meant to reach the server. */
function isLocal({ HOST, PUBLIC_URL }: Address): boolean {
  return isLoopback(HOST) && (PUBLIC_URL === undefined || isLoopback(new URL(PUBLIC_URL).hostname));
}

/** A demo that is asked for where others can reach it. */
function isOpenDemo({ DEMO, ...address }: Address & { DEMO?: boolean | undefined }): boolean {
  return DEMO === true && !isLocal(address);
}

/** The library's own switches count too. */
function isTraced(v: z.infer<typeof variables>): boolean {
  const endpoint = v.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? v.OTEL_EXPORTER_OTLP_ENDPOINT;
  return endpoint !== undefined && v.OTEL_SDK_DISABLED !== "true" && v.OTEL_TRACES_EXPORTER !== "none";
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

/** Listening on all addresses is no address that a browser can open. */
function reachable(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}
