import { maskOf } from "./masking";
import type { Change, Commit, Task, TaskCommit } from "./views";

/** Titles of commits on tasks. */
export const MAX_TITLE_LENGTH = 200;

/** A commit as a client gets it: without the words, and where it had any without the link to the page that shows them. */
export function maskCommit(commit: Commit, words: readonly string[]): Commit {
  if (words.length === 0) return commit;
  const mask = maskOf(words);
  const { message, author } = commit.commit;
  // A login cannot be masked in part: it leads to a picture and to an account.
  const account = commit.author && mask(commit.author.login) === commit.author.login ? commit.author : null;
  const shown = { message: mask(message), author: { ...author, name: mask(author.name) } };
  const repo = mask(commit.repo);
  const isWhole = shown.message === message && shown.author.name === author.name && account === commit.author;
  const html_url = isWhole ? unmasked(commit.html_url, mask) : null;
  return { ...commit, commit: shown, author: account, repo, html_url };
}

/** Tasks whose commits have whole messages for titles, as a client gets them. */
export function maskTask<Named extends Pick<Task, "commits">>(task: Named, words: readonly string[]): Named {
  const mask = maskOf(words);
  return task.commits ? { ...task, commits: task.commits.map((commit) => maskTaskCommit(commit, mask)) } : task;
}

function maskTaskCommit(commit: TaskCommit, mask: (text: string) => string): TaskCommit {
  const { title: message, authorName, htmlUrl } = commit;
  const [text, name] = [mask(message), mask(authorName)];
  const isWhole = text === message && name === authorName;
  return { ...commit, title: titleOf(text), authorName: name, htmlUrl: isWhole ? unmasked(htmlUrl, mask) : null };
}

/** A commit among what is new since a visit, whose title is the whole message. */
export function maskChange(change: Change, words: readonly string[]): Change {
  const mask = maskOf(words);
  const { title: message, author, htmlUrl } = change;
  const [text, name] = [mask(message), author && mask(author)];
  const isWhole = text === message && name === author;
  return { ...change, title: firstLineOf(text), author: name, htmlUrl: isWhole ? unmasked(htmlUrl, mask) : null };
}

/** A link, unless the name of its repository has one of the words. */
export function unmasked(link: string | null, mask: (text: string) => string): string | null {
  return link !== null && mask(link) === link ? link : null;
}

/** The first line of a message. */
export function firstLineOf(message: string): string {
  return message.split("\n", 1)[0]?.trim() ?? "";
}

/** What PostgreSQL's `left(split_part(…), 200)` makes of a message. */
function titleOf(message: string): string {
  return [...(message.split("\n", 1)[0] ?? "")].slice(0, MAX_TITLE_LENGTH).join("");
}
