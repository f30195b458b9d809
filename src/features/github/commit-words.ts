import type { Commit } from "@server/contract/views";
import { type CalendarDay, today } from "@/lib/format";

/** Of a title on the client's timeline. Spec 9. */
const TITLE_LENGTH = 70;
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** A message's first line that says something, and all after it. */
export function partsOf(message: string): { title: string; body: string } {
  const [title = "", ...rest] = message.trim().split("\n");
  return { title: title.trim() || "No message", body: rest.join("\n").trim() };
}

/** The first 70 letters, then "..."; no letter and no emoji is ever cut in two. A title of 70 stays whole. */
export function cutTitle(title: string): string {
  let cut = "";
  let length = 0;
  for (const { segment } of graphemes.segment(title)) {
    if (length === TITLE_LENGTH) return `${cut.trimEnd()}...`;
    cut += segment;
    length += 1;
  }
  return title;
}

/** The login on GitHub, or the commit's author name where GitHub knows no account. Spec 2, Activity tab. */
export function authorOf({ author, commit }: Pick<Commit, "author" | "commit">): string {
  return author?.login ?? commit.author.name;
}

/** By the reader's days, in the order of the commits. */
export function byDay(commits: readonly Commit[]): [CalendarDay, Commit[]][] {
  const days = new Map<CalendarDay, Commit[]>();
  for (const commit of commits) {
    const day = today(new Date(commit.commit.author.date));
    const known = days.get(day);
    if (known) known.push(commit);
    else days.set(day, [commit]);
  }
  return [...days];
}

/** Unique in a feed: a repository of two projects stands under each. */
export function commitKey({ project, sha }: Pick<Commit, "project" | "sha">): string {
  return `${project.id} ${sha}`;
}

/** "1 commit", "2 commits". */
export function countWords(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
