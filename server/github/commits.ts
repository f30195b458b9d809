import * as z from "zod/mini";
import { isWebUrl } from "../contract/web-url";
import { isAvatarLink } from "./avatars";

/** A commit ready to store: well-formed text of bounded length, and links that a page may show. */
export interface FetchedCommit {
  sha: string;
  message: string;
  htmlUrl: string;
  authorName: string;
  authoredAt: Date;
  authorLogin: string | null;
  authorAvatarUrl: string | null;
}

/** A feed holds hundreds of messages. */
const MAX_MESSAGE_LENGTH = 5_000;
const MAX_NAME_LENGTH = 200;
const MIN_TIME = Date.UTC(1970, 0, 1);

/** Clocks differ, but a date further in the future would stay at the top of the feed for years. */
const MAX_AHEAD_MS = 366 * 24 * 3_600_000;

const signatureSchema = z.nullish(z.object({ name: z.nullish(z.string()), date: z.nullish(z.string()) }));

/** Only the fields that are used. GitHub omits the author when it knows no account. */
const commitSchema = z.object({
  sha: z.string().check(z.regex(/^[0-9A-Za-z]{4,64}$/)),
  html_url: z.nullish(z.string()),
  commit: z.object({ message: z.string(), author: signatureSchema, committer: signatureSchema }),
  author: z.nullish(z.object({ login: z.nullish(z.string()), avatar_url: z.nullish(z.string()) })),
});
const answerSchema = z.array(commitSchema);

/** The repository and API that were read. */
interface Source {
  owner: string;
  name: string;
  apiUrl: string;
  /** Milliseconds since 1970; one instant for the whole response, so that clamped dates keep its order. */
  readAt: number;
}

/** Commits of a response, in its order (newest first); null when it is not a list of commits. */
export function readCommits(answer: unknown, source: Omit<Source, "readAt">): FetchedCommit[] | null {
  const parsed = answerSchema.safeParse(answer);
  const readAt = Date.now();
  return parsed.success ? parsed.data.map((commit) => readCommit(commit, { ...source, readAt })) : null;
}

function readCommit({ sha, html_url, commit, author }: z.output<typeof commitSchema>, source: Source): FetchedCommit {
  const { message, author: written, committer } = commit;
  const avatar = author?.avatar_url ?? "";
  const login = storable(author?.login ?? "", MAX_NAME_LENGTH).trim();
  return {
    sha,
    message: storable(message, MAX_MESSAGE_LENGTH).replaceAll("\r\n", "\n").trim(),
    htmlUrl: linkOf(html_url ?? "", { sha, ...source }),
    authorName: storable(written?.name ?? committer?.name ?? "", MAX_NAME_LENGTH).trim() || login || "Unknown",
    authoredAt: instantOf([written?.date, committer?.date], source),
    authorLogin: login || null,
    authorAvatarUrl: isAvatarLink(avatar, { apiUrl: source.apiUrl }) ? avatar : null,
  };
}

/** The response's link if it points to GitHub or to the API's own host; otherwise the commit's address on GitHub. */
function linkOf(link: string, { sha, owner, name, apiUrl }: Source & { sha: string }): string {
  const { protocol, host, username, password } = new URL(isWebUrl(link) ? link : "http://nowhere.invalid");
  const isAtHome = host === "github.com" || host === new URL(apiUrl).host;
  const isSafe = protocol === "https:" && username === "" && password === "";
  return isAtHome && isSafe ? link : `https://github.com/${owner}/${name}/commit/${sha}`;
}

/** PostgreSQL rejects U+0000 and lone surrogates. */
function storable(text: string, maxLength: number): string {
  return text.replaceAll("\u0000", "").slice(0, maxLength).toWellFormed();
}

/** Commit dates can hold anything: the first valid one, clamped to what can be shown; now when there is none. */
function instantOf(texts: (string | null | undefined)[], { readAt }: Source): Date {
  const [time = readAt] = texts.map((text) => Date.parse(text ?? "")).filter((time) => !Number.isNaN(time));
  return new Date(time > readAt + MAX_AHEAD_MS ? readAt : Math.max(time, MIN_TIME));
}
