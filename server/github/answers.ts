import * as z from "zod/mini";
import { isWebUrl } from "../contract/text";

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
const LATEST = Date.UTC(2200, 0, 1);

const signatureSchema = z.nullish(z.object({ name: z.nullish(z.string()), date: z.nullish(z.string()) }));

/** The fields that are read; GitHub adds others at will, and leaves the author out when it knows none. */
const commitSchema = z.object({
  sha: z.string().check(z.regex(/^[0-9A-Za-z]{4,64}$/)),
  html_url: z.string().check(z.refine(isWebUrl)),
  commit: z.object({ message: z.string(), author: signatureSchema, committer: signatureSchema }),
  author: z.nullish(z.object({ login: z.nullish(z.string()), avatar_url: z.nullish(z.string()) })),
});
const answerSchema = z.array(commitSchema);

/** The commits of an answer in its order, newest first; null when it is no list of commits. */
export function readCommits(answer: unknown): FetchedCommit[] | null {
  const parsed = answerSchema.safeParse(answer);
  return parsed.success ? parsed.data.map(readCommit) : null;
}

function readCommit({ sha, html_url, commit, author }: z.output<typeof commitSchema>): FetchedCommit {
  const { message, author: written, committer } = commit;
  const avatar = author?.avatar_url ?? "";
  return {
    sha,
    message: storable(message, LONGEST_MESSAGE).replaceAll("\r\n", "\n").trim(),
    htmlUrl: html_url,
    authorName: storable(written?.name ?? committer?.name ?? "", LONGEST_NAME) || (author?.login ?? "Unknown"),
    authoredAt: instantOf(written?.date ?? committer?.date ?? ""),
    authorLogin: author?.login ? storable(author.login, LONGEST_NAME) : null,
    // Pages may show pictures over https only.
    authorAvatarUrl: isWebUrl(avatar) && /^https:/i.test(avatar) ? avatar : null,
  };
}

/** PostgreSQL takes neither U+0000 nor halves of characters. */
function storable(text: string, longest: number): string {
  return text.replaceAll("\u0000", "").slice(0, longest).toWellFormed();
}

/** Anybody may write anything into a commit's date: what is no date is now. */
function instantOf(text: string): Date {
  const time = Date.parse(text);
  return new Date(time >= EARLIEST && time < LATEST ? time : Date.now());
}
