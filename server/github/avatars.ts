import { and, desc, eq, exists, inArray, isNotNull, not, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Db } from "../../db/client";
import { commits, projects, repositories } from "../../db/schema";
import { maskOf } from "../contract/masking";
import { MESSAGES } from "../contract/messages";
import { boundedFetch } from "../core/bounded-fetch";
import type { Actor, Context } from "../core/context";
import { answerDownload, type TracedCall } from "../core/downloads";
import { DomainError } from "../core/errors";
import { requireActiveSession, requireType } from "../core/procedures";
import { visibleTo } from "../projects/policy";
import { titlesShownTo } from "./policy";

/** Followed by the login of a commit's author. */
export const AVATAR_PATH = "/api/github/avatars/";

const TIMEOUT_MS = 5_000;
/** Of pixels on the longer side: what GitHub makes of `s`, enough for the largest avatar on a dense screen. */
const SIZE = 80;
/** A picture of that size has a few thousand. */
const MAX_BYTES = 200_000;
const MAX_REDIRECTS = 2;
const MAX_KEPT = 200;
const FRESH_MS = 24 * 3_600_000;
const RETRY_MS = 10 * 60_000;
/** No SVG: it may hold scripts. */
const TYPES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

interface Picture {
  bytes: Uint8Array<ArrayBuffer>;
  type: string;
  etag: string;
}

/** Null: the host has none, or does not answer. */
interface Kept {
  picture: Picture | null;
  expiresAt: number;
}

export interface Avatars {
  /** The picture at a link that GitHub gave; null when there is none to show. Never rejects. */
  read(link: string): Promise<Picture | null>;
}

/**
 * Pictures of commit authors, fetched from GitHub alone and kept in memory for a day: the pages' policy allows no other host. While
 * GitHub does not answer, the last one is shown. Each is fetched once, however many ask.
 */
export function createAvatars({ apiUrl }: { apiUrl: string }): Avatars {
  const kept = new Map<string, Promise<Kept>>();
  return {
    async read(link) {
      if (!isAvatarLink(link, { apiUrl })) return null;
      const before = kept.get(link);
      const held = before && (await before);
      if (held && held.expiresAt > Date.now()) return held.picture;
      // Another call may have begun to fetch while this one waited.
      const reading = kept.get(link) === before ? fetchPicture(link, held?.picture ?? null) : kept.get(link);
      if (!reading) return held?.picture ?? null;
      kept.delete(link);
      kept.set(link, reading);
      for (const oldest of kept.keys()) {
        if (kept.size <= MAX_KEPT) break;
        kept.delete(oldest);
      }
      return (await reading).picture;
    },
  };
}

/** Whether a link leads to GitHub's pictures, or to those of the firm's own GitHub server. */
export function isAvatarLink(link: string, { apiUrl }: { apiUrl: string }): boolean {
  if (!URL.canParse(link)) return false;
  const { protocol, host, username, password } = new URL(link);
  const api = new URL(apiUrl);
  const home = api.host.replace(/^api\./, "");
  const hosts = ["avatars.githubusercontent.com", api.host, home, `avatars.${home}`];
  const isSafe = protocol === "https:" || (protocol === api.protocol && host === api.host);
  return isSafe && username === "" && password === "" && hosts.includes(host);
}

async function fetchPicture(link: string, last: Picture | null): Promise<Kept> {
  const address = new URL(link);
  address.searchParams.set("s", String(SIZE));
  const answer = await boundedFetch(address.href, {
    headersFor: () => ({ accept: [...TYPES].join(", "), "user-agent": "sangam" }),
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
    maxRedirects: MAX_REDIRECTS,
  }).catch(() => null);
  const type = answer?.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (!answer?.ok || !TYPES.has(type)) {
    const isGone = answer !== null && answer.status < 500 && answer.status !== 429;
    return { picture: isGone ? null : last, expiresAt: Date.now() + RETRY_MS };
  }
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  const etag = `"${Buffer.from(digest).toString("base64url").slice(0, 22)}"`;
  return { picture: { bytes, type, etag }, expiresAt: Date.now() + FRESH_MS };
}

/** Where pages load the picture of a commit's author from; null without one. */
export function avatarPath({ authorLogin, authorAvatarUrl }: Record<"authorLogin" | "authorAvatarUrl", SQLWrapper>) {
  const hasPicture = sql`${authorAvatarUrl} is not null and ${authorLogin} ~ '^[A-Za-z0-9_.-]+([[]bot[]])?$'`;
  return sql<string | null>`case when ${hasPicture} then ${AVATAR_PATH} || ${authorLogin} end`;
}

/**
 * The picture of a commit's author, for those who see a commit of theirs; NOT_FOUND for all others. 204 when GitHub has none, so
 * that the page shows initials and nothing has failed. Never rejects.
 */
export function answerAvatar(call: Context, asked: { login: string; avatars: Avatars }): Promise<Response> {
  return answerDownload(call, { name: "github.avatar", start: (traced) => readAvatar(traced, asked) });
}

async function readAvatar(
  call: TracedCall,
  { login, avatars }: { login: string; avatars: Avatars },
): Promise<Response> {
  const { actor } = await requireActiveSession(call, "read");
  requireType(actor, ["client", "admin"]);
  const link = await findAvatarLink(call.db, { actor, login });
  if (link === null) throw new DomainError("NOT_FOUND", MESSAGES.general.notFound);
  const picture = await avatars.read(link);
  if (!picture) return new Response(null, { status: 204, headers: cached('"none"', RETRY_MS) });
  const headers = cached(picture.etag, FRESH_MS);
  if (call.headers.get("if-none-match") === picture.etag) return new Response(null, { status: 304, headers });
  return new Response(picture.bytes, { headers: { ...headers, "content-type": picture.type } });
}

function cached(etag: string, ms: number): Record<string, string> {
  return { etag, "cache-control": `private, max-age=${ms / 1000}` };
}

/** Of the newest commit by this account that the actor sees, with its author, and that has a picture. */
async function findAvatarLink(db: Db, { actor, login }: { actor: Actor; login: string }): Promise<string | null> {
  const isSeenIn = actor.accountType === "client" ? await namingProjects(db, { actor, login }) : visibleTo(actor);
  const isSeen = exists(
    db
      .select({ id: projects.id })
      .from(projects)
      .where(and(eq(projects.repositoryId, commits.repositoryId), isSeenIn)),
  );
  const [row] = await db
    .select({ link: commits.authorAvatarUrl })
    .from(commits)
    .innerJoin(repositories, eq(repositories.id, commits.repositoryId))
    .where(and(eq(commits.authorLogin, login), isNotNull(commits.authorAvatarUrl), not(repositories.withheld), isSeen))
    .orderBy(desc(commits.id))
    .limit(1);
  return row?.link ?? null;
}

/** Those whose commits show a client this login. */
async function namingProjects(db: Db, { actor, login }: { actor: Actor; login: string }): Promise<SQL> {
  const shown = await db
    .select({ id: projects.id, maskedWords: projects.maskedWords })
    .from(projects)
    .where(and(visibleTo(actor), titlesShownTo(actor)));
  const naming = shown.filter(({ maskedWords }) => maskOf(maskedWords)(login) === login);
  return inArray(
    projects.id,
    naming.map(({ id }) => id),
  );
}
