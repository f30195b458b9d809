import type { ImportProgress } from "./run";

const EVERY_MS = 200;
const BAR_LENGTH = 20;
const LABELS: Record<ImportProgress["step"], string> = {
  read: "Read",
  tasks: "Tasks",
  comments: "Comments",
  messages: "Messages",
  files: "Files",
};

/**
 * Shows how far an import is, with a bar and a rate: a few times a second, and the end of each step. `shareRead` says how much of the
 * source has been read, from 0 to 1; null where nobody knows.
 */
export function createProgress(
  show: (line: string) => void,
  shareRead: () => number | null,
): (progress: ImportProgress) => void {
  let present: ImportProgress["step"] | null = null;
  let startedMs = 0;
  let shownMs = Number.NEGATIVE_INFINITY;
  return ({ step, count, total }) => {
    const nowMs = performance.now();
    if (step !== present) [present, startedMs] = [step, nowMs];
    const share = total === null ? shareRead() : count / total;
    if (nowMs - shownMs < EVERY_MS && share !== 1) return;
    shownMs = nowMs;
    const rate = Math.round(count / Math.max((nowMs - startedMs) / 1000, 0.001));
    const counted = total === null ? inEnglish(count) : `${inEnglish(count)} of ${inEnglish(total)}`;
    show(`${LABELS[step]}: ${share === null ? "" : `${barOf(share)} `}${counted} (${inEnglish(rate)} a second)`);
  };
}

function barOf(share: number): string {
  const done = Math.floor(share * BAR_LENGTH);
  return `[${"#".repeat(done)}${"-".repeat(BAR_LENGTH - done)}] ${Math.floor(share * 100)} %`;
}

function inEnglish(number: number): string {
  return number.toLocaleString("en-GB");
}
