import { MIN_POSTGRES } from "../../db/migrate";
import type { ServerProcess, SystemWarning } from "../contract/system";
import type { Env } from "../core/env";
import type { DatabaseFacts } from "./queries";

/*
 * Everything that somebody who runs the server should see to, each said in one place: the System page, `npm run doctor` and the
 * mails to admins take their sentences from here.
 */

/** What a check of `conditions` found to be wrong; `since` follows what is wrong, such as " since 20 Nov 2026, 10:01 UTC". */
export function describeTrouble(
  { id, details = {} }: { id: string; details?: Record<string, string | number> | undefined },
  since = "",
): SystemWarning {
  switch (id) {
    case "disk":
      return {
        text: `Only ${details.freePercent} % of the disk of ${details.path}${details.host === undefined ? "" : ` on ${details.host}`} is free (${gigabytes(details.freeBytes)} GB)${since && `,${since}`}. When it is full, nothing can be saved.`,
        action: "Delete what is not needed on that disk, such as old backups, or make it larger.",
      };
    case "repository-token":
      return details.result === "unreadable"
        ? {
            text: `The server cannot decrypt the repository token${since && `,${since}`}: TOKEN_ENCRYPTION_KEY has changed. Until then new commits of private repositories are not shown.`,
            action: "Give its former value in TOKEN_ENCRYPTION_KEY_OLD, or enter the token again in Settings.",
          }
        : {
            text: `GitHub has refused the repository token${since}: it has expired or was revoked. Until then new commits of private repositories are not shown.`,
            action: "Create a new one on GitHub and enter it in Settings.",
          };
    case "backup":
      return {
        text: details.error
          ? `The nightly backup failed: ${details.error}`
          : "No server has made the nightly backup, although it has been due for hours.",
        action:
          "Check that the folder BACKUP_DIR can be written and has room, then make a backup: it says what is wrong.",
      };
    case "job:mail":
      return {
        text: `Email has been stuck${since}.${details.error ? ` The last error: ${details.error}.` : ""}`,
        action:
          "Send a test email: it shows what the mail server answers. Check SMTP_URL, and that this network lets email out.",
      };
    default:
      return {
        text: `Background work is stuck: “${kindOf(id)}” has not run${since}.${details.error ? ` The last error: ${details.error}.` : ""}`,
        action: "Look for “job failed” in the server's log, and restart the server if nothing else helps.",
      };
  }
}

/** What the settings leave open. */
export function describeSettings({
  smtpUrl,
  backup,
}: Pick<Env, "smtpUrl" | "backup">): Record<"mail" | "backups", SystemWarning[]> {
  const mail = {
    text: "Emails are written to the outbox folder and reach nobody.",
    action: "Set SMTP_URL and MAIL_FROM, and restart.",
  };
  const unset = {
    text: "No backup is made at night.",
    action: "Set BACKUP_DIR to a folder on another disk, and restart.",
  };
  const withoutSecrets = {
    text: "Backups hold no secrets: a restored server could not read the repository token, and everybody would log in anew.",
    action:
      "Set BACKUP_PASSPHRASE and keep it elsewhere, or keep BETTER_AUTH_SECRET and TOKEN_ENCRYPTION_KEY yourself.",
  };
  return {
    mail: smtpUrl === null ? [mail] : [],
    backups: [
      ...(backup.dir === null ? [unset] : []),
      ...(backup.dir !== null && backup.passphrase === null ? [withoutSecrets] : []),
    ],
  };
}

/** A phone's code for two-factor sign-in counts for half a minute around its time. */
const MAX_CLOCK_DIFFERENCE_MS = 10_000;
/** Of the connections that PostgreSQL allows: a server takes up to twelve. */
const MAX_CONNECTION_SHARE = 0.8;

/** What is wrong with the database; null for each thing that is well. */
export function describeDatabase({
  version,
  connections,
  maxConnections,
  aheadMs,
}: DatabaseFacts): Record<"database" | "connections" | "clock", SystemWarning | null> {
  const seconds = Math.round(Math.abs(aheadMs) / 1_000);
  return {
    database:
      Number.parseInt(version, 10) >= MIN_POSTGRES
        ? null
        : { text: `PostgreSQL ${version} is too old.`, action: `Upgrade it to version ${MIN_POSTGRES} or later.` },
    connections:
      connections < maxConnections * MAX_CONNECTION_SHARE
        ? null
        : {
            text: `${connections} of ${maxConnections} connections are taken.`,
            action: "Raise max_connections of PostgreSQL, or run fewer servers on it.",
          },
    clock:
      Math.abs(aheadMs) <= MAX_CLOCK_DIFFERENCE_MS
        ? null
        : {
            text: `The database's clock is ${seconds} s ${aheadMs > 0 ? "ahead" : "behind"}.`,
            action: "Set both by NTP.",
          },
  };
}

/** Both versions run for as long as an upgrade takes. */
const UPGRADE_MS = 15 * 60_000;

/** An upgrade that has stopped half way; nothing while all run one version, and while one has just been started. */
export function describeVersions(servers: readonly Pick<ServerProcess, "version" | "startedAt">[]): SystemWarning[] {
  const versions = [...new Set(servers.map(({ version }) => version))];
  const newestMs = Math.max(...servers.map(({ startedAt }) => Date.parse(startedAt)));
  if (versions.length < 2 || Date.now() - newestMs < UPGRADE_MS) return [];
  return [
    {
      text: `Servers of ${versions.length} versions run: ${versions.join(" and ")}.`,
      action: "Finish the upgrade: restart those that run the older version.",
    },
  ];
}

/** Notifications do not arrive, neither over PostgreSQL nor over the bus of PUBSUB_URL. */
export function describeSilence({ pubsubUrl }: Pick<Env, "pubsubUrl">): SystemWarning {
  const text = "No notification arrives: open pages learn of changes only every 15 s.";
  return pubsubUrl === null
    ? { text, action: "DATABASE_URL must lead to PostgreSQL itself, or to a pooler in session mode." }
    : { text, action: "Start the Redis or Valkey that PUBSUB_URL names, and check the way to it." };
}

/** One line of the doctor. */
export function inOneLine({ text, action }: SystemWarning): string {
  return `${text} ${action}`;
}

/** The kind of job that a condition is about. */
export function kindOf(id: string): string {
  return id.replace(/^job:/, "");
}

/** What follows in a sentence about something that lasts: " since 20 Nov 2026, 10:01 UTC". */
export function since(instant: Date | null): string {
  return ` since ${timeOf(instant)}`;
}

/** In UTC: whoever reads it may be anywhere. */
export function timeOf(instant: Date | null): string {
  const format = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });
  return instant ? `${format.format(instant)} UTC` : "some time";
}

function gigabytes(bytes: string | number | undefined): string {
  return (Number(bytes) / 1e9).toFixed(1);
}
