import * as z from "zod/mini";
import { isWebUrl } from "../contract/web-url";

/** A commit as it will be stored: well-formed, of bounded length, with links that a page may show. */
export interface FetchedCommit {
  sha: string;
  message: string;
  htmlUrl: string;
  authorName: string;
  authoredAt: Date;
  authorLogin: string | null;
  authorAvatarUrl: string | null;
}

/** A feed holds hundreds. */
const LONGEST_MESSAGE = 5_000;
const LONGEST_NAME = 200;
const EARLIEST = Date.UTC(1970, 0, 1);

/** Clocks differ; what is further ahead would stand above everything for years. */
const LATEST_AHEAD_MS = 366 * 24 * 3_600_000;

const signatureSchema = z.nullish(z.object({ name: z.nullish(z.string()), date: z.nullish(z.string()) }));

/** The fields that are read; GitHub adds others at will, and leaves the author out when it knows none. */
const commitSchema = z.object({
  sha: z.string().check(z.regex(/^[0-9A-Za-z]{4,64}$/)),
  html_url: z.nullish(z.string()),
  commit: z.object({ message: z.string(), author: signatureSchema, committer: signatureSchema }),
  author: z.nullish(z.object({ login: z.nullish(z.string()), avatar_url: z.nullish(z.string()) })),
});
const answerSchema = z.array(commitSchema);

/** What was asked for, and where. */
interface Source {
  owner: string;
  name: string;
  apiUrl: string;
  /** Milliseconds since 1970, one instant for the whole answer: its order stands. */
  readAt: number;
}

/** The commits of an answer in its order, newest first; null when it is no list of commits. */
export function readCommits(answer: unknown, source: Omit<Source, "readAt">): FetchedCommit[] | null {
  const parsed = answerSchema.safeParse(answer);
  const readAt = Date.now();
  return parsed.success ? parsed.data.map((commit) => readCommit(commit, { ...source, readAt })) : null;
}

function readCommit({ sha, html_url, commit, author }: z.output<typeof commitSchema>, source: Source): FetchedCommit {
  const { message, author: written, committer } = commit;
  const avatar = author?.avatar_url ?? "";
  const login = storable(author?.login ?? "", LONGEST_NAME).trim();
  return {
    sha,
    message: storable(message, LONGEST_MESSAGE).replaceAll("\r\n", "\n").trim(),
    htmlUrl: linkOf(html_url ?? "", { sha, ...source }),
    authorName: storable(written?.name ?? committer?.name ?? "", LONGEST_NAME).trim() || login || "Unknown",
    authoredAt: instantOf([written?.date, committer?.date], source),
    authorLogin: login || null,
    // Pages may show pictures over https only.
    authorAvatarUrl: isWebUrl(avatar) && /^https:/i.test(avatar) ? avatar : null,
  };
}

/** The link of the answer if it leads to GitHub, or to the API's own host; else the address that the commit has there. */
function linkOf(link: string, { sha, owner, name, apiUrl }: Source & { sha: string }): string {
  const { protocol, host, username, password } = new URL(isWebUrl(link) ? link : "http://nowhere.invalid");
  const isAtHome = host === "github.com" || host === new URL(apiUrl).host;
  const isPlain = protocol === "https:" && username === "" && password === "";
  return isAtHome && isPlain ? link : `https://github.com/${owner}/${name}/commit/${sha}`;
}

/** PostgreSQL takes neither U+0000 nor halves of characters. */
function storable(text: string, longest: number): string {
  return text.replaceAll("\u0000", "").slice(0, longest).toWellFormed();
}

/** Anybody may write anything into a commit's dates: the first that is one, within what can be shown; without one, now. */
function instantOf(texts: (string | null | undefined)[], { readAt }: Source): Date {
  const [time = readAt] = texts.map((text) => Date.parse(text ?? "")).filter((time) => !Number.isNaN(time));
  return new Date(time > readAt + LATEST_AHEAD_MS ? readAt : Math.max(time, EARLIEST));
}
