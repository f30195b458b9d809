import type { LastBackup } from "@server/contract/system";
import { expect, test } from "vitest";
import { formatBytes } from "@/lib/format-bytes";
import {
  describeBackups,
  describeJob,
  describeJobs,
  describeLastBackup,
  describeTestMail,
  formatDuration,
  formatMilliseconds,
} from "./system-text";

test("sizes, times and durations have the unit that a person would choose", () => {
  expect([0, 900, 820_000, 4_210_000, 512e6, 1.26e9].map(formatBytes)).toEqual([
    "0 kB",
    "1 kB",
    "820 kB",
    "4.2 MB",
    "512 MB",
    "1.3 GB",
  ]);
  expect([0, 59, 60, 7_300, 86_400, 300_000].map(formatDuration)).toEqual([
    "under a minute",
    "under a minute",
    "1 minute",
    "2 hours",
    "1 day",
    "3 days",
  ]);
  expect([0.42, 12.4, 1_240].map(formatMilliseconds)).toEqual(["0.4 ms", "12 ms", "1.2 s"]);
});

test("a backup is told with what is known of it", () => {
  const last: LastBackup = {
    at: "2026-11-20T02:31:00.000Z",
    kind: "nightly",
    ok: true,
    sizeBytes: 10,
    file: "sangam-1.zip",
    verified: true,
    holdsSecrets: false,
    error: null,
  };
  expect(describeLastBackup(null)).toBe("No backup has been made yet.");
  expect(describeLastBackup(last)).toBe("The last nightly backup, 20 Nov 2026, was read back and is complete.");
  expect(describeLastBackup({ ...last, kind: "asked", verified: false })).toContain(
    "The last backup, 20 Nov 2026, was",
  );
  expect(describeLastBackup({ ...last, ok: false, error: "The disk is full." })).toContain("failed.");
  const backups = { last, nextAt: null, running: null, isNightly: false, holdSecrets: false };
  expect(describeBackups(backups).join(" ")).toMatch(
    /BACKUP_DIR is not set.*no secrets because BACKUP_PASSPHRASE is not set/,
  );
  expect(describeBackups({ ...backups, isNightly: true, holdSecrets: true, nextAt: last.at }).join(" ")).toMatch(
    /each night in BACKUP_DIR, the next on 20 Nov 2026, \d\d:\d\d\. Backups hold the secrets, encrypted/,
  );
});

test("what waits is counted, and the mail server's answer is quoted", () => {
  expect([
    describeJob({ waiting: 0, lagSeconds: 0 }),
    describeJob({ waiting: 1, lagSeconds: 5 }),
    describeJob({ waiting: 1_200, lagSeconds: 130 }),
  ]).toEqual([
    "Nothing is waiting",
    "1 job has waited for under a minute",
    "1,200 jobs are waiting, the oldest for 2 minutes",
  ]);
  const sentenceOf = (...waiting: number[]) =>
    describeJobs(waiting.map((count) => ({ waiting: count, failingSince: null })));
  expect([sentenceOf(0, 0), sentenceOf(0, 1), sentenceOf(1, 2)]).toEqual([
    "All background work is done.",
    "1 job is waiting to run.",
    "3 jobs are waiting to run.",
  ]);
  expect(describeJobs([{ waiting: 2, failingSince: "2026-11-20T02:31:00.000Z" }])).toContain(
    "1 kind of background work failed",
  );
  expect(describeTestMail({ outcome: "accepted", answer: "250 OK" })).toBe("The mail server accepted it: 250 OK");
  expect(describeTestMail({ outcome: "refused", answer: "550 no" })).toBe("It was refused: 550 no");
});
