import type { SignOff, SignOffChange, SignOffRecord } from "./views";

export const SIGN_OFF_LABELS: Record<SignOff["status"], string> = {
  asked: "Waiting for approval",
  approved: "Approved",
  "changes-requested": "Changes requested",
  withdrawn: "Withdrawn",
};

/** The name of somebody of a sign-off; the signer's as it stands in the record. */
export function nameIn({ people, record }: Pick<SignOff, "people" | "record">, id: string): string {
  if (id === record.signer.id) return record.signer.name;
  return people.find((person) => person.id === id)?.name ?? "Unknown User";
}

/** "The whole project", "1 task", "4 tasks". */
export function describeScope({ scope, tasks }: SignOffRecord): string {
  if (scope === "project") return "The whole project";
  return tasks.length === 1 ? "1 task" : `${tasks.length} tasks`;
}

/** How whoever shows a sign-off writes what is stored: a status as its label, a calendar day or the day of an instant as a date. */
export interface SignOffFormat {
  status: (status: string) => string;
  day: (day: string) => string;
  instantDay: (instant: string) => string;
}

/** One difference as a sentence without a full stop: "HBP-2 Tides: status Completed, now To Do". */
export function describeChange({ kind, name, from, to }: SignOffChange, format: SignOffFormat): string {
  const was = (what: string, write: (value: string) => string = (value) => value) =>
    `${name}: ${what} ${from === null ? "none" : write(from)}, now ${to === null ? "none" : write(to)}`;
  switch (kind) {
    case "project-deleted":
      return `The project ${name} was deleted`;
    case "project-title":
      return was("project title");
    case "task-title":
      return was("title");
    case "task-status":
      return was("status", format.status);
    case "task-due-date":
      return was("due date", format.day);
    case "commits":
    case "live-link":
      return `${name}: ${from ?? "none"}, now ${to ?? "none"}`;
    case "task-added":
    case "file-added":
      return `${name}: added`;
    case "task-removed":
    case "file-removed":
      return `${name}: removed`;
  }
}

/** "7 commits, 20 Nov 2026 (1a2b3c4) to 22 Nov 2026 (5d6e7f8)"; the number alone where the ends are not shown. */
export function describeCommits(
  { count, first, last }: SignOffRecord["commits"][number],
  format: SignOffFormat,
): string {
  const number = `${count} ${count === 1 ? "commit" : "commits"}`;
  if (!first || !last) return number;
  const end = ({ sha, at }: { sha: string; at: string }) => `${format.instantDay(at)} (${sha.slice(0, 7)})`;
  return first.sha === last.sha ? `${number}, ${end(last)}` : `${number}, ${end(first)} to ${end(last)}`;
}
