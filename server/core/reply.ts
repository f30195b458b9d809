import { hash } from "node:crypto";
import type { AccountType } from "@db/enums";
import { type AnyTRPCRouter, transformTRPCResponse } from "@trpc/server";
import { type JsonText, parseJsonText } from "../../db/expressions";
import { readEnvelope } from "./input-envelope";
import { parseJson } from "./parse-json";

/*
 * Answers that PostgreSQL writes: over HTTP their JSON goes on as text. A GET of one of them alone is answered with a tag, and
 * with 304 when it brings the tag of what it would be answered now.
 */

/** What an answer shows, as JSON, and its version: another text after every change of it. Both of one moment. */
export interface Reading<Value> {
  version: string;
  json: JsonText<Value>;
}

/** The answer to one HTTP request as it comes about. */
export interface Reply {
  /** Tags of what the caller holds. */
  heldTags: ReadonlySet<string>;
  /** The version of what they may be of, when it was read with the session: of whose sight, of what, and whether it is held. */
  early: { actorId: string; of: string; version: string | null; isHeld: boolean } | null;
  /** Of a caller who holds such a version: the call has run, and is neither counted nor logged again. */
  refusal: Error | null;
  /** Null where answers carry no tag: to batches and to a POST. */
  makeTag: ((shown: unknown[]) => string) | null;
  /** Of the answer, once it is there. */
  tag: string | null;
  /** The caller holds the answer. */
  isUnchanged: boolean;
  /** When PostgreSQL wrote some of it; else tRPC's own is whole. */
  body: string | null;
}

/**
 * `build` stands for the program: another one may show more. Null where tRPC streams the results of a batch, each serialised by
 * itself.
 */
export function createReply(
  { method, headers }: Pick<Request, "method" | "headers">,
  { path, url, build }: { path: string; url: URL; build: string },
): Reply | null {
  if (/jsonl/.test(headers.get("trpc-accept") ?? headers.get("accept") ?? "")) return null;
  const isTagged = method === "GET" && !/[?&]batch=/.test(url.search);
  const held = isTagged ? headers.get("if-none-match") : null;
  return {
    early: null,
    refusal: null,
    // A proxy that compresses makes a tag a weak one.
    heldTags: new Set(held?.split(",").map((tag) => tag.trim().replace(/^W\//, ""))),
    makeTag: isTagged ? tagMaker([build, path]) : null,
    tag: null,
    isUnchanged: false,
    body: null,
  };
}

/** What a request with tags asks, before it is checked; undefined for other requests, and for what is no JSON. */
export function readInput({ heldTags }: Reply, { searchParams }: URL): unknown {
  return heldTags.size > 0 ? readEnvelope(parseJson(searchParams.get("input") ?? "")) : undefined;
}

type Person = { id: string; accountType: AccountType };

/** The tag of that version of an answer, if the caller holds it. */
export function heldTag(
  reply: Reply,
  { version, ...shown }: { actor: Person; shownTo: Person; input: object; version: string | null },
): string | null {
  const tag = version === null ? null : tagOf(reply, { version, ...shown });
  return tag !== null && reply.heldTags.has(tag) ? tag : null;
}

function tagOf(
  { makeTag }: Reply,
  { actor, shownTo, input, version }: { actor: Person; shownTo: Person; input: object; version: string },
): string | null {
  return makeTag?.([actor.id, actor.accountType, shownTo.id, shownTo.accountType, input, version]) ?? null;
}

/**
 * Answers with a reading, or says by its version alone that the caller holds it already. A tag is one person's and one input's:
 * nobody's answer passes for another's. Where there is no HTTP: the value.
 */
export async function answerReading<Value>(
  { reply, actor }: { reply: Reply | null; actor: Person },
  {
    input,
    shownTo,
    findVersion,
    read,
  }: {
    input: object;
    /** With whose eyes it is read. */
    shownTo: Person;
    /** Null where there is nothing to show. */
    findVersion: () => Promise<string | null>;
    read: () => Promise<Reading<Value>>;
  },
): Promise<Value> {
  if (reply === null) return parseJsonText((await read()).json);
  const shown = { actor, shownTo, input };
  if (reply.heldTags.size > 0) {
    const tag = heldTag(reply, { ...shown, version: await findVersion() });
    if (tag !== null) {
      Object.assign(reply, { tag, isUnchanged: true });
      return written("null");
    }
  }
  const { version, json } = await read();
  reply.tag = tagOf(reply, { ...shown, version });
  return written(json);
}

/** JSON on its way into the body of an answer. */
export class WrittenJson {
  constructor(readonly json: string) {}
}

/** In place of the value that the text stands for: only the body is made of it. */
function written<Value>(json: string): Value;
function written(json: string): unknown {
  return new WrittenJson(json);
}

type Result = Exclude<Parameters<typeof transformTRPCResponse>[1], unknown[]>;

/** Whether tRPC's own body would not be whole. */
export function holdsWritten(results: readonly Result[]): boolean {
  return results.some((result) => writtenIn(result) !== null);
}

/** The body of an answer of these results. */
export function bodyOf(
  results: readonly Result[],
  { router, isBatch }: { router: AnyTRPCRouter; isBatch: boolean },
): string {
  const bodies = results.map((result) => {
    const json = writtenIn(result);
    if (json !== null) return `{"result":{"data":{"json":${json}}}}`;
    return JSON.stringify(transformTRPCResponse(router._def._config, result));
  });
  return isBatch ? `[${bodies.join(",")}]` : (bodies[0] ?? "");
}

function writtenIn(result: Result): string | null {
  const data = "result" in result && "data" in result.result ? result.result.data : null;
  return data instanceof WrittenJson ? data.json : null;
}

/** The headers of an answer with this tag. Whoever keeps it asks each time, and in the name of the same person. */
export function tagHeaders(tag: string): Record<string, string> {
  return { etag: tag, "cache-control": "private, no-cache", vary: "cookie, authorization, accept-encoding" };
}

/** The same version is asked for before and after a call's checks: it is hashed once. */
function tagMaker(constant: unknown[]): (shown: unknown[]) => string {
  let last: { text: string; tag: string } | null = null;
  return (shown) => {
    const text = JSON.stringify([...constant, ...shown]);
    if (last?.text !== text) last = { text, tag: `"${hash("sha256", text, "base64url").slice(0, 27)}"` };
    return last.tag;
  };
}
