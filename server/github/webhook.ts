import { createHmac, timingSafeEqual } from "node:crypto";
import * as z from "zod/mini";
import type { Db } from "../../db/client";
import { MESSAGES } from "../contract/messages";
import { DomainError } from "../core/errors";
import { parseJson } from "../core/parse-json";
import { isStored } from "./queries";
import { requestSyncAfterPush } from "./sync-runs";

export const WEBHOOK_PATH = "/api/github/webhook";

/** GitHub's own limit: a push event lists all of its commits. */
export const MAX_PUSH_BYTES = 25 * 1024 * 1024;

const HASH = /^[0-9a-f]{40,64}$/;

/** What is read of a push event. */
export const pushSchema = z.object({
  ref: z.string(),
  after: z.nullish(z.string()),
  forced: z.nullish(z.boolean()),
  repository: z.object({
    full_name: z.string().check(z.regex(/^[\w.-]+\/[\w.-]+$/)),
    default_branch: z.nullish(z.string()),
  }),
});

/**
 * GitHub's webhook after a push, signed with the shared secret. A push to the default branch requests a sync of the repository,
 * unless its newest commit is stored already and the push was not forced, so that a repeated delivery changes nothing. The
 * response is the same for repositories that no project links to. Throws a DomainError for what GitHub did not sign or is no push.
 */
export async function receivePush(
  db: Db,
  { secret, headers, body }: { secret: string; headers: Headers; body: Uint8Array },
): Promise<void> {
  if (!isSigned({ secret, signature: headers.get("x-hub-signature-256") ?? "", body }))
    throw new DomainError("UNAUTHORIZED", MESSAGES.github.unsigned);
  if (headers.get("x-github-event") !== "push") return;
  const push = pushSchema.safeParse(parseJson(textOf(body, headers)));
  if (!push.success) throw new DomainError("BAD_REQUEST", MESSAGES.general.unreadable);
  const { ref, after, forced, repository } = push.data;
  const [owner = "", name = ""] = repository.full_name.split("/");
  const isShown = !repository.default_branch || ref === `refs/heads/${repository.default_branch}`;
  if (!isShown) return;
  const isKnown =
    !forced && after && HASH.test(after) && (await isStored(db, { repository: { owner, name }, sha: after }));
  if (!isKnown) await requestSyncAfterPush(db, { owner, name });
}

/** Whether a request may have a push-sized body: its headers say that it is a signed push. */
export function isLargePush({ path, headers }: { path: string; headers: Headers }): boolean {
  const isSigned = /^sha256=[0-9a-f]{64}$/.test(headers.get("x-hub-signature-256") ?? "");
  return path === WEBHOOK_PATH && headers.get("x-github-event") === "push" && isSigned;
}

function isSigned({ secret, signature, body }: { secret: string; signature: string; body: Uint8Array }): boolean {
  const expected = Buffer.from(`sha256=${createHmac("sha256", secret).update(body).digest("hex")}`);
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** GitHub sends JSON, or a form with the JSON in a field, depending on the webhook's settings. */
function textOf(body: Uint8Array, headers: Headers): string {
  const text = Buffer.from(body).toString("utf8");
  const isForm = headers.get("content-type")?.startsWith("application/x-www-form-urlencoded");
  return isForm ? (new URLSearchParams(text).get("payload") ?? "") : text;
}
