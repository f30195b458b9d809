import { BlockList, isIP } from "node:net";
import * as z from "zod/mini";
import { isTimeZone } from "../contract/organisation";
import { LOG_LEVELS } from "./logger";

const text = (minLength: number, message: string) => z.string(message).check(z.minLength(minLength, message));

const url = (protocols: string[], message: string) =>
  z.string().check(z.refine((value) => protocols.includes(urlOf(value)?.protocol ?? ""), message));

/** An address that may have a password in it. */
const serviceUrl = (protocols: string[], like: string, isWhole: (parsed: URL) => boolean = () => true) =>
  z.optional(
    z.string().check(
      z.refine((value) => {
        const parsed = urlOf(value);
        return parsed !== null && protocols.includes(parsed.protocol) && hasEscapedLogin(parsed) && isWhole(parsed);
      }, `must be like ${like}, with signs such as / # and % in a password as %2F, %23 and %25`),
    ),
  );

const email = z.string().check(z.trim(), z.email("must be an e-mail address"), z.toLowerCase());

/** Of characters, also of a secret that is kept in the data folder. */
export const MIN_SECRET = 32;

const secret = z.optional(text(MIN_SECRET, "must have at least 32 characters: make one with `openssl rand -hex 32`"));

const formerSecrets = (name: string) =>
  z._default(
    z.pipe(
      z
        .string()
        .check(
          z.refine(
            (value) => list(value).every((secret) => secret.length >= MIN_SECRET),
            `must be former values of ${name}, with commas between`,
          ),
        ),
      z.transform(list),
    ),
    [],
  );

const flag = z.pipe(
  z.enum(["0", "1"], "must be 0 or 1"),
  z.transform((value: "0" | "1") => value === "1"),
);

const webUrl = (message: string) =>
  z.pipe(
    url(["http:", "https:"], message),
    z.transform((value: string) => value.replace(/\/+$/, "")),
  );

const otlpUrl = webUrl("must be an http or https address, such as http://localhost:4318");

const port = z.pipe(
  z
    .string()
    .check(
      z.refine(
        (value) => /^\d{1,5}$/.test(value) && Number(value) >= 1 && Number(value) <= 65535,
        "must be a number from 1 to 65535",
      ),
    ),
  z.transform(Number),
);

/** Every variable that the server reads, each with its check and default; what is unset and has none is undefined. */
export const variables = z.object({
  PORT: z._default(port, 3000),
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
  DATABASE_URL: serviceUrl(["postgres:", "postgresql:"], "postgres://user:password@host:5432/database", (parsed) =>
    isDecodable(parsed.pathname),
  ),
  DATA_DIR: z._default(z.string(), ".data"),
  PUBSUB_URL: serviceUrl(
    ["redis:", "rediss:"],
    "redis://user:password@host:6379, or rediss:// for TLS",
    ({ hostname, pathname, search }) => hostname !== "" && /^\/?\d{0,4}$/.test(pathname) && search === "",
  ),
  DEMO: z.optional(flag),
  DEMO_ANYWHERE: z._default(flag, false),
  ADMIN_EMAIL: z.optional(email),
  ADMIN_PASSWORD: z.optional(
    text(6, "must have at least 6 characters").check(z.maxLength(128, "must have at most 128 characters")),
  ),
  ADMIN_NAME: z._default(z.string().check(z.maxLength(100, "must have at most 100 characters")), "Admin"),
  BETTER_AUTH_SECRET: secret,
  BETTER_AUTH_SECRET_OLD: formerSecrets("BETTER_AUTH_SECRET"),
  TOKEN_ENCRYPTION_KEY: secret,
  TOKEN_ENCRYPTION_KEY_OLD: formerSecrets("TOKEN_ENCRYPTION_KEY"),
  SMTP_URL: serviceUrl(["smtp:", "smtps:"], "smtp://user:password@host:587"),
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
  DRAIN_SECONDS: z._default(
    z.pipe(z.string().check(z.regex(/^\d{1,3}$/, "must be a number of seconds from 0 to 999")), z.transform(Number)),
    0,
  ),
  BACKUP_DIR: z.optional(z.string()),
  BACKUP_KEEP: z._default(
    z.pipe(z.string().check(z.regex(/^[1-9]\d{0,3}$/, "must be a number from 1 to 9999")), z.transform(Number)),
    14,
  ),
  BACKUP_PASSPHRASE: z.optional(text(12, "must have at least 12 characters")),
  S3_URL: serviceUrl(
    ["http:", "https:"],
    "https://KEY:SECRET@s3.eu-central-1.amazonaws.com/bucket?region=eu-central-1",
    isBucketAddress,
  ),
  FILES_QUOTA_GB: z._default(
    z.pipe(
      z.string().check(z.regex(/^\d{1,6}(\.\d+)?$/, "must be a number of gigabytes, such as 10")),
      z.transform(Number),
    ),
    10,
  ),
  LIVE_LINK_CHECK_SECONDS: z._default(
    z.pipe(
      z.string().check(
        z.regex(/^\d{1,5}$/, "must be a number of seconds up to 86400, 0 for no checks"),
        z.refine((text) => Number(text) <= 86_400, "must be a number of seconds up to 86400, 0 for no checks"),
      ),
      z.transform(Number),
    ),
    600,
  ),
  OUTGOING_ALLOW_LOOPBACK: z._default(flag, false),
  METRICS_PORT: z.optional(port),
  METRICS_TOKEN: z.optional(
    z.string().check(z.regex(/^[\x21-\x7e]+$/, "must be of letters, digits and signs without spaces")),
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.optional(otlpUrl),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z.optional(otlpUrl),
  OTEL_EXPORTER_OTLP_PROTOCOL: z._default(
    z.enum(["http/json", "http/protobuf"], "must be http/json or http/protobuf"),
    "http/json",
  ),
  OTEL_SDK_DISABLED: z.optional(z.string()),
  OTEL_TRACES_EXPORTER: z.optional(z.string()),
  RATE_LIMIT_MULTIPLIER: z._default(
    z.pipe(z.string().check(z.regex(/^\d{1,6}(\.\d+)?$/, "must be a number, 0 for no limits")), z.transform(Number)),
    1,
  ),
  TIME_ZONE: z.optional(
    z.string().check(z.refine(isTimeZone, "must be the name of a time zone, such as Europe/London or Asia/Kolkata")),
  ),
  LOG_LEVEL: z._default(z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(", ")}`), "info"),
});

function urlOf(value: string): URL | null {
  return URL.canParse(value) ? new URL(value) : null;
}

/** Whether user and password are all that stands before the host, and can be decoded. */
function hasEscapedLogin({ username, password, hostname, pathname, search, hash }: URL): boolean {
  // After digits, which are taken for a port, a / or ? of a password ends the host.
  const isCut = username === "" && `${pathname}${search}`.includes("@");
  return hash === "" && !isCut && isDecodable(`${username}${password}${hostname}`);
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function isBucketAddress({ username, password, pathname, searchParams }: URL): boolean {
  const isKnown = [...searchParams.keys()].every((key) => key === "region");
  return username !== "" && password !== "" && /^\/[^/]+/.test(pathname) && isKnown;
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
