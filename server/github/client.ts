import type { RepositoryProblemKind } from "@db/enums";
import { Octokit } from "@octokit/core";
import { retry } from "@octokit/plugin-retry";
import { throttling } from "@octokit/plugin-throttling";
import { boundedFetch, NoAnswerError } from "../core/bounded-fetch";
import type { TokenJudge } from "../core/context";
import type { SecretToken } from "../core/vault";
import { type FetchedCommit, readCommits } from "./answers";

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 5 * 1024 * 1024;
const MAX_REDIRECTS = 3;
const PAGE_SIZE = 100;
const VERSION_HEADERS = { accept: "application/vnd.github.v3+json", "x-github-api-version": "2022-11-28" };
/** GitHub's own advice for a limit without a time. */
const UNTIMED_WAIT_SECONDS = 60;
/** A reset further away is not believed. */
const LONGEST_WAIT_SECONDS = 6 * 3600;

/** The organisation's token with the lower-cased owners for whose repositories it may be used. */
export interface Grant {
  token: SecretToken;
  owners: readonly string[];
}

export interface Problem {
  kind: RepositoryProblemKind;
  /** Of HTTP; null when there was no answer. */
  status: number | null;
}

/** What became of one reading. `isWhole`: there are no older commits. `retryAt`: GitHub asks for quiet until then. */
export type Reading =
  | { outcome: "unchanged"; retryAt: Date | null }
  | { outcome: "commits"; commits: FetchedCommit[]; isWhole: boolean; etag: string | null; retryAt: Date | null }
  | { outcome: "problem"; problem: Problem; retryAt: Date | null };

/** GitHub's API. Its token goes to the API's own origin alone, and into no object that Octokit or an error holds. */
export interface GitHubClient extends TokenJudge {
  /**
   * A page of 100 commits of the default branch, the newest on page 1; `etag` makes an unchanged one cost a 304. Never rejects.
   */
  listCommits(reading: {
    owner: string;
    name: string;
    etag: string | null;
    /** From 1. */
    page?: number;
    /** Only for a repository of one of its owners. */
    grant: Grant | null;
    signal?: AbortSignal;
  }): Promise<Reading>;
}

export function createGitHubClient({
  apiUrl,
  timeoutMs = TIMEOUT_MS,
  maxBytes = MAX_BYTES,
}: {
  apiUrl: string;
  timeoutMs?: number;
  maxBytes?: number;
}): GitHubClient {
  const silent = () => {};
  const octokit = new (Octokit.plugin(retry, throttling))({
    baseUrl: apiUrl,
    userAgent: "sangam",
    // Its lines hold addresses, which people typed.
    log: { debug: silent, info: silent, warn: silent, error: silent },
    retry: { retries: 1 },
    // Waiting is the store's: a process may end, and the others should know.
    throttle: { onRateLimit: () => false, onSecondaryRateLimit: () => false },
  });
  const api: Api = { octokit, apiUrl, bounds: { timeoutMs, maxBytes } };
  return {
    listCommits: (asked) => readRepository(api, asked),
    async checkToken(token) {
      const status = await statusWith(api, { path: "/user", token });
      // A token of an app is no person's, and is told so.
      const isUndecided = status === 403 || status === 404;
      return verdictOn(isUndecided ? await statusWith(api, { path: "/rate_limit", token }) : status);
    },
  };
}

interface Api {
  octokit: Octokit;
  apiUrl: string;
  bounds: { timeoutMs: number; maxBytes: number };
}

type Asked = Parameters<GitHubClient["listCommits"]>[0];
type Sent = { headers: Record<string, string> };

async function readRepository({ octokit, apiUrl, bounds }: Api, asked: Asked): Promise<Reading> {
  const { owner, name, etag, page = 1, grant, signal } = asked;
  const read = (address: string, { headers }: Sent) =>
    boundedFetch(address, {
      ...bounds,
      maxRedirects: MAX_REDIRECTS,
      signal,
      headersFor: (target) =>
        grant && mayCarryToken(target, { apiUrl, grant }) ? { ...headers, ...authorised(grant.token) } : headers,
    });
  try {
    const { data, headers } = await octokit.request("GET /repos/{owner}/{repo}/commits", {
      owner,
      repo: name,
      per_page: PAGE_SIZE,
      // By its number: GitHub's own links to further pages name no owner, so that the token could not go along.
      ...(page > 1 && { page }),
      headers: { ...VERSION_HEADERS, ...(etag !== null && { "if-none-match": etag }) },
      // The store tries again, after a minute at the earliest.
      request: { fetch: read, retries: 0 },
    });
    const commits = readCommits(data, { owner, name, apiUrl });
    if (!commits) return failed({ kind: "other", status: 200 });
    const isWhole = commits.length < PAGE_SIZE && !/\brel="?next\b/.test(headers.link ?? "");
    return { outcome: "commits", commits, isWhole, etag: headers.etag ?? null, retryAt: quietUntil(headers) };
  } catch (error) {
    return readingOf(error);
  }
}

/** The status of an answer to the token; null when there is none. */
async function statusWith(
  { octokit, bounds }: Api,
  { path, token }: { path: string; token: SecretToken },
): Promise<number | null> {
  const read = (address: string, { headers }: Sent) =>
    boundedFetch(address, { ...bounds, maxRedirects: 0, headersFor: () => ({ ...headers, ...authorised(token) }) });
  try {
    const { status } = await octokit.request(`GET ${path}`, { headers: VERSION_HEADERS, request: { fetch: read } });
    return status;
  } catch (error) {
    return answerOf(error)?.status ?? null;
  }
}

/** Made for each request as it is sent, past Octokit. */
function authorised(token: SecretToken): { authorization: string } {
  return { authorization: `token ${token.reveal()}` };
}

/** 404: a GitHub of one's own, which keeps no limits, has judged the token by then. */
function verdictOn(status: number | null): Awaited<ReturnType<TokenJudge["checkToken"]>> {
  if (status === 401 || status === 403) return "refused";
  return status !== null && (status < 300 || status === 404) ? "accepted" : "unanswered";
}

/**
 * Whether an address is the API's for a repository of an owner for whom the token was meant. Not so where GitHub sends for a
 * renamed repository, `/repositories/{id}`: whose that is now nobody could tell but with the token. It is followed without.
 */
function mayCarryToken(target: URL, { apiUrl, grant }: { apiUrl: string; grant: Grant }): boolean {
  const base = new URL(apiUrl);
  const prefix = base.pathname.replace(/\/$/, "");
  if (target.origin !== base.origin || !target.pathname.startsWith(`${prefix}/`)) return false;
  const [, owner] = /^\/repos\/([\w.-]+)\/[\w.-]+\/commits$/.exec(target.pathname.slice(prefix.length)) ?? [];
  return owner !== undefined && grant.owners.includes(owner.toLowerCase());
}

type Headers = Readonly<Record<string, string | number | undefined>>;

/** The status and headers that came with an error; null when there was no answer. */
function answerOf(error: unknown): { status: number; headers: Headers; words: string } | null {
  if (!(error instanceof Error) || !("response" in error)) return null;
  const { response } = error;
  if (typeof response !== "object" || response === null || !("status" in response) || !("headers" in response)) {
    return null;
  }
  const { status, headers } = response;
  if (typeof status !== "number" || typeof headers !== "object" || headers === null) return null;
  return { status, headers: Object.fromEntries(Object.entries(headers)), words: error.message };
}

function readingOf(error: unknown): Reading {
  const answer = answerOf(error);
  if (!answer) {
    const cause = error instanceof Error ? error.cause : null;
    return failed({ kind: "other", status: cause instanceof NoAnswerError ? cause.status : null });
  }
  const { status, headers, words } = answer;
  if (status === 304) return { outcome: "unchanged", retryAt: quietUntil(headers) };
  if (status === 409 && /\bempty\b/i.test(words)) {
    return { outcome: "commits", commits: [], isWhole: true, etag: null, retryAt: quietUntil(headers) };
  }
  if (status === 404) return failed({ kind: "not-found", status });
  const isExhausted = headers["x-ratelimit-remaining"] === "0";
  const isLimited = isExhausted || headers["retry-after"] !== undefined || /\brate limit\b/i.test(words);
  if (status === 429 || (status === 403 && isLimited)) {
    const retryAt = quietUntil(headers) ?? inSeconds(UNTIMED_WAIT_SECONDS);
    return { outcome: "problem", problem: { kind: "rate-limit", status }, retryAt };
  }
  const kind = status === 401 || status === 403 ? "auth" : "other";
  return { ...failed({ kind, status }), retryAt: quietUntil(headers) };
}

function failed(problem: Problem): Extract<Reading, { outcome: "problem" }> {
  return { outcome: "problem", problem, retryAt: null };
}

/**
 * Until when GitHub wants not to be asked: `retry-after` in seconds or as a date, or the reset of a limit that is used up. Its
 * instants are of its own clock, which may not be ours.
 */
function quietUntil(headers: Headers): Date | null {
  const told = Date.parse(String(headers.date));
  const now = (Number.isNaN(told) ? Date.now() : told) / 1000;
  const retryAfter = headers["retry-after"];
  if (retryAfter !== undefined) {
    const seconds = Number(retryAfter);
    return inSeconds(Number.isNaN(seconds) ? Date.parse(String(retryAfter)) / 1000 - now : seconds);
  }
  if (headers["x-ratelimit-remaining"] !== "0") return null;
  return inSeconds(Number(headers["x-ratelimit-reset"]) - now + 1);
}

function inSeconds(seconds: number): Date {
  const wait = Number.isFinite(seconds) ? Math.min(Math.max(seconds, 1), LONGEST_WAIT_SECONDS) : UNTIMED_WAIT_SECONDS;
  return new Date(Date.now() + wait * 1000);
}
