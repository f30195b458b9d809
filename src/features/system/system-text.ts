import type { JobStatus, LastBackup, SystemStatus, TestMailResult } from "@server/contract/system";
import { formatInstantInText, formatInstantLong, plural } from "@/lib/format";

/** How long something lasts, by its largest unit: "under a minute", "5 minutes", "3 days". */
export function formatDuration(seconds: number): string {
  const units = [
    [86_400, "day"],
    [3_600, "hour"],
    [60, "minute"],
  ] as const;
  for (const [length, unit] of units) {
    const count = Math.floor(seconds / length);
    if (count >= 1) return plural(count, unit);
  }
  return "under a minute";
}

/** "2 ms", "0.4 ms", "1.2 s". */
export function formatMilliseconds(milliseconds: number): string {
  if (milliseconds >= 1_000) return `${(milliseconds / 1_000).toFixed(1)} s`;
  return `${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms`;
}

/** How the last backup went, in a sentence. */
export function describeLastBackup(last: LastBackup | null): string {
  if (!last) return "No backup has been made yet.";
  const what = last.kind === "nightly" ? "nightly backup" : "backup";
  const when = formatInstantInText(last.at);
  if (!last.ok) return `The last ${what}, ${when}, failed.`;
  const checked = last.verified ? "was read back and is complete" : "was written";
  return `The last ${what}, ${when}, ${checked}.`;
}

/** What else there is to say of backups. */
export function describeBackups({ nextAt, isNightly, holdSecrets }: SystemStatus["backups"]): string[] {
  return [
    isNightly
      ? `One is made each night in BACKUP_DIR${nextAt ? `, the next on ${formatInstantLong(nextAt)}` : ""}.`
      : "No backup is made at night because BACKUP_DIR is not set. “Back up now” writes to the backups folder of DATA_DIR, on the same disk.",
    holdSecrets
      ? "Backups hold the secrets, encrypted with BACKUP_PASSPHRASE."
      : "Backups hold no secrets because BACKUP_PASSPHRASE is not set.",
  ];
}

/** How the mail server took a test mail. */
export function describeTestMail({ outcome, answer }: TestMailResult): string {
  if (outcome === "written") return `${answer} Set SMTP_URL to send it.`;
  return outcome === "accepted" ? `The mail server accepted it: ${answer}` : `It was refused: ${answer}`;
}

const JOB_LABELS: Record<string, string> = {
  mail: "Email",
  "unread-mail": "Reminders of unread messages",
  "cover-end": "Ending expired covers",
  "notification-mail": "Email about notifications",
  "notification-push": "Notifications in browsers",
  "notification-day": "Daily digests and due dates",
  "status-reminder": "Weekly status reminders",
  webhooks: "Webhooks",
  "file-sweep": "Deleting unused files",
  "upload-sweep": "Deleting unfinished uploads",
  "live-links": "Checks of live links",
  "live-link-upkeep": "Upkeep of live links",
  "repository-sync": "Reading repositories",
  "repository-maintenance": "Looking for repositories to read",
  housekeeping: "Deleting expired records",
  conditions: "Checks that email the admins",
  backup: "Backups on demand",
  "nightly backup": "Nightly backups",
};

/** A kind of job in words; one that only a newer server knows by its name. */
export function jobLabel(kind: string): string {
  return JOB_LABELS[kind] ?? kind;
}

/** How all kinds of jobs fare, in a sentence. */
export function describeJobs(jobs: readonly Pick<JobStatus, "waiting" | "failingSince">[]): string {
  const failing = jobs.filter(({ failingSince }) => failingSince !== null).length;
  if (failing > 0) return `${plural(failing, "kind")} of background work failed last time.`;
  const waiting = jobs.reduce((sum, job) => sum + job.waiting, 0);
  if (waiting === 0) return "All background work is done.";
  return `${plural(waiting, "job")} ${waiting === 1 ? "is" : "are"} waiting to run.`;
}

/** What waits of a kind of job: "Nothing is waiting", "3 jobs are waiting, the oldest for 2 minutes". */
export function describeJob({ waiting, lagSeconds }: Pick<JobStatus, "waiting" | "lagSeconds">): string {
  if (waiting === 0) return "Nothing is waiting";
  const count = waiting === 1 ? "1 job has waited" : `${waiting.toLocaleString("en-GB")} jobs are waiting, the oldest`;
  return `${count} for ${formatDuration(lagSeconds)}`;
}
