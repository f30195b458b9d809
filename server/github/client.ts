import type { RepositoryProblemKind } from "@db/enums";
import { Octokit } from "@octokit/core";
import { retry } from "@octokit/plugin-retry";
import { throttling } from "@octokit/plugin-throttling";
import { boundedFetch, NoAnswerError } from "../core/bounded-fetch";
import type { TokenJudge } from "../core/context";
import type { SecretToken } from "../core/vault";
import { type FetchedCommit, readCommits } from "./commits";

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 5 * 1024 * 1024;
const MAX_REDIRECTS = 3;
const PAGE_SIZE = 100;
const VERSION_HEADERS = { accept: "application/vnd.github.v3+json", "x-github-api-version": "2022-11-28" };
/** GitHub's advice for a rate limit that names no time. */
const UNTIMED_WAIT_SECONDS = 60;
/** A later reset is not plausible. */
const MAX_WAIT_SECONDS = 6 * 3600;

/** The organisation's token and the lower-case owners whose repositories it may be used for. */
export interface Grant {
  token: SecretToken;
  owners: readonly string[];
}

interface Problem {
  kind: RepositoryProblemKind;
  /** HTTP status; null when there was no response. */
  status: number | null;
}

/** The result of reading a repository. `isWhole`: there are no older commits. `retryAt`: GitHub asks for no calls before then. */
export type Reading =
  | { outcome: "unchanged"; retryAt: Date | null }
  | { outcome: "commits"; commits: FetchedCommit[]; isWhole: boolean; etag: string | null; retryAt: Date | null }
  | { outcome: "problem"; problem: Problem; retryAt: Date | null };

/** GitHub's API. The token is sent to the API's own origin only and never stored in an object that Octokit or an error keeps. */
export interface GitHubClient extends TokenJudge {
  /**
   * A page of 100 commits of the default branch, newest first; with `etag` an unchanged page costs a 304. Never rejects.
   */
  listCommits(reading: {
    owner: string;
    name: string;
    etag: string | null;
    /** Starts at 1. */
    page?: number;
    /** Used only when the repository belongs to one of its owners. */
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
    // Octokit's log lines hold addresses that people typed.
    log: { debug: silent, info: silent, warn: silent, error: silent },
    retry: { retries: 1 },
    // The database schedules retries, so that they survive a restart and all processes know of them.
    throttle: { onRateLimit: () => false, onSecondaryRateLimit: () => false },
  });
  const api: Api = { octokit, apiUrl, bounds: { timeoutMs, maxBytes } };
  return {
    listCommits: (asked) => readRepository(api, asked),
    async checkToken(token) {
      const status = await statusWith(api, { path: "/user", token });
      // An app's token belongs to no user, so GitHub answers 403 or 404 for it.
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
      // By number: GitHub's `next` links name no owner, so the token could not be sent with them.
      ...(page > 1 && { page }),
      headers: { ...VERSION_HEADERS, ...(etag !== null && { "if-none-match": etag }) },
      // The sync run is retried later, after a minute at the earliest.
      request: { fetch: read, retries: 0 },
    });
    const commits = readCommits(data, { owner, name, apiUrl });
    if (!commits) return failed({ kind: "other", status: 200 });
    const isWhole = commits.length < PAGE_SIZE && !/\brel="?next\b/.test(headers.link ?? "");
    return { outcome: "commits", commits, isWhole, etag: headers.etag ?? null, retryAt: retryTime(headers) };
  } catch (error) {
    return readingOf(error);
  }
}

/** The HTTP status of a call with the token; null without a response. */
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

/** Added to each request as it is sent, so that Octokit never sees it. */
function authorised(token: SecretToken): { authorization: string } {
  return { authorization: `token ${token.reveal()}` };
}

/** 404: a GitHub Enterprise server without rate limits, which has checked the token by then. */
function verdictOn(status: number | null): Awaited<ReturnType<TokenJudge["checkToken"]>> {
  if (status === 401 || status === 403) return "refused";
  return status !== null && (status < 300 || status === 404) ? "accepted" : "unanswered";
}

/**
 * Whether the address is the API's for a repository of one of the token's owners. GitHub redirects a renamed repository to
 * `/repositories/{id}`, whose owner is unknown: that redirect is followed without the token.
 */
function mayCarryToken(target: URL, { apiUrl, grant }: { apiUrl: string; grant: Grant }): boolean {
  const base = new URL(apiUrl);
  const prefix = base.pathname.replace(/\/$/, "");
  if (target.origin !== base.origin || !target.pathname.startsWith(`${prefix}/`)) return false;
  const [, owner] = /^\/repos\/([\w.-]+)\/[\w.-]+\/commits$/.exec(target.pathname.slice(prefix.length)) ?? [];
  return owner !== undefined && grant.owners.includes(owner.toLowerCase());
}

type Headers = Readonly<Record<string, string | number | undefined>>;

/** Status and headers of a failed response; null when there was none. */
function answerOf(error: unknown): { status: number; headers: Headers; message: string } | null {
  if (!(error instanceof Error) || !("response" in error)) return null;
  const { response } = error;
  if (typeof response !== "object" || response === null || !("status" in response) || !("headers" in response)) {
    return null;
  }
  const { status, headers } = response;
  if (typeof status !== "number" || typeof headers !== "object" || headers === null) return null;
  return { status, headers: Object.fromEntries(Object.entries(headers)), message: error.message };
}

function readingOf(error: unknown): Reading {
  const answer = answerOf(error);
  if (!answer) {
    const cause = error instanceof Error ? error.cause : null;
    return failed({ kind: "other", status: cause instanceof NoAnswerError ? cause.status : null });
  }
  const { status, headers, message } = answer;
  if (status === 304) return { outcome: "unchanged", retryAt: retryTime(headers) };
  if (status === 409 && /\bempty\b/i.test(message)) {
    return { outcome: "commits", commits: [], isWhole: true, etag: null, retryAt: retryTime(headers) };
  }
  if (status === 404) return failed({ kind: "not-found", status });
  const isExhausted = headers["x-ratelimit-remaining"] === "0";
  const isLimited = isExhausted || headers["retry-after"] !== undefined || /\brate limit\b/i.test(message);
  if (status === 429 || (status === 403 && isLimited)) {
    const retryAt = retryTime(headers) ?? inSeconds(UNTIMED_WAIT_SECONDS);
    return { outcome: "problem", problem: { kind: "rate-limit", status }, retryAt };
  }
  const kind: Problem["kind"] = status === 401 || status === 403 ? "auth" : "other";
  return { ...failed({ kind, status }), retryAt: retryTime(headers) };
}

function failed(problem: Problem): Extract<Reading, { outcome: "problem" }> {
  return { outcome: "problem", problem, retryAt: null };
}

/**
 * When GitHub allows the next call: `retry-after` in seconds or as a date, or the reset of an exhausted rate limit. Times are
 * relative to the server's clock, which may differ from ours.
 */
function retryTime(headers: Headers): Date | null {
  const serverTime = Date.parse(String(headers.date));
  const now = (Number.isNaN(serverTime) ? Date.now() : serverTime) / 1000;
  const retryAfter = headers["retry-after"];
  if (retryAfter !== undefined) {
    const seconds = Number(retryAfter);
    return inSeconds(Number.isNaN(seconds) ? Date.parse(String(retryAfter)) / 1000 - now : seconds);
  }
  if (headers["x-ratelimit-remaining"] !== "0") return null;
  return inSeconds(Number(headers["x-ratelimit-reset"]) - now + 1);
}

function inSeconds(seconds: number): Date {
  const wait = Number.isFinite(seconds) ? Math.min(Math.max(seconds, 1), MAX_WAIT_SECONDS) : UNTIMED_WAIT_SECONDS;
  return new Date(Date.now() + wait * 1000);
}
