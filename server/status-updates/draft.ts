import type { Db } from "../../db/client";
import { formatDay } from "../contract/days";
import type { StatusUpdateDraft } from "../contract/views";
import { findOrganisation } from "../organisation/queries";
import { findProgress, type Progress } from "./queries";

const MAX_TITLES = 5;
const MAX_TITLE_LENGTH = 80;

/** A line each about what was done, what moved and what was committed since the last update: what the client may see. */
export async function writeDraft(
  db: Db,
  { project, timeZone }: { project: { id: string }; timeZone: string },
): Promise<StatusUpdateDraft> {
  const organisation = await findOrganisation(db, { timeZone });
  const progress = await findProgress(db, { projectId: project.id, timeZone: organisation.timeZone });
  const { commits, isLate, hasOverdueTasks } = progress;
  return {
    health: isLate ? "off-track" : hasOverdueTasks ? "at-risk" : "on-track",
    upTo: progress.upTo,
    text: [doneLine(progress), movedLine(progress), ...(commits ? [commitLine(commits)] : [])].join("\n"),
  };
}

function doneLine({ done }: Progress): string {
  if (done.length === 0) return "Done: no task was completed.";
  return `Done: ${counted(done.length, "task")} (${listed(done.slice(0, MAX_TITLES).map(shortened), done.length)}).`;
}

function movedLine({ moved }: Progress): string {
  if (moved.length === 0) return "Moved: no dates.";
  const texts = moved.map(
    ({ title, to }) => `${title === null ? "the project" : shortened(title)} to ${formatDay(to)}`,
  );
  return `Moved: ${listed(texts.slice(0, MAX_TITLES), texts.length)}.`;
}

function commitLine({ count, titles }: NonNullable<Progress["commits"]>): string {
  if (count === 0) return "Code: no commits.";
  const named = titles.length > 0 ? ` (${listed(titles.map(shortened), count)})` : "";
  return `Code: ${counted(count, "commit")}${named}.`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** The first few of `total`. */
function listed(texts: readonly string[], total: number): string {
  const more = total - texts.length;
  return [...texts, ...(more > 0 ? [`${more} more`] : [])].join("; ");
}

function shortened(title: string): string {
  const points = [...title];
  return points.length <= MAX_TITLE_LENGTH ? title : `${points.slice(0, MAX_TITLE_LENGTH).join("").trimEnd()}...`;
}
