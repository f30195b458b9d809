import { randomBytes, randomUUID } from "node:crypto";
import { REQUEST_STATUSES, SIGN_OFF_STATUSES } from "@db/client-enums";
import type { NotificationKind } from "@db/event-kinds";
import { eq, inArray, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import { projects, requests, tasks, webhookDeliveries, webhooks } from "../../db/schema";
import { columnsOf, rowsOf } from "../../db/writes";
import { insertAudit } from "../audit/mutations";
import { MESSAGES } from "../contract/messages";
import type { CreatedWebhook } from "../contract/views";
import type { NewWebhook } from "../contract/webhooks";
import type { Actor } from "../core/context";
import { DomainError, ValidationError } from "../core/errors";
import { type Outgoing, OutgoingError } from "../core/outgoing";
import { SecretToken, type Vault } from "../core/vault";
import { boundTo } from "./subjects";

const MAX_WEBHOOKS = 20;

/** Stores an address that has been found to be public, with a secret of its own. */
export async function createWebhook(
  db: Db,
  { url, kinds, by, vault, outgoing }: NewWebhook & { by: Actor; vault: Vault; outgoing: Outgoing },
): Promise<CreatedWebhook> {
  await requirePublic(outgoing, url);
  const id = randomUUID();
  const secret = `whsec_${randomBytes(32).toString("base64url")}`;
  const { sealed: sealedSecret, keyId } = vault.seal(new SecretToken(secret), boundTo(id));
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('webhook-changes'))`);
    if ((await tx.$count(webhooks)) >= MAX_WEBHOOKS) throw new DomainError("CONFLICT", MESSAGES.webhooks.tooMany);
    await tx.insert(webhooks).values(columnsOf(webhooks, { id, url, kinds, sealedSecret, keyId, createdBy: by.id }));
    await auditWebhook(tx, { kind: "webhook.created", by, url });
  });
  return { id, secret };
}

async function requirePublic(outgoing: Outgoing, url: string): Promise<void> {
  try {
    await outgoing.check(url, { requireHttps: true });
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error;
    const { unknownHost, notPublic } = MESSAGES.webhooks;
    throw new ValidationError<NewWebhook>({ url: [error.reason === "unknown-host" ? unknownHost : notPublic] });
  }
}

/** Deletes a webhook with its deliveries. Gone already: NOT_FOUND. */
export async function deleteWebhook(
  db: Db,
  { webhookId, by }: { webhookId: string; by: Actor },
): Promise<{ id: string }> {
  return db.transaction(async (tx) => {
    const [gone] = await tx
      .delete(webhooks)
      .where(eq(webhooks.id, webhookId))
      .returning({ id: webhooks.id, url: webhooks.url });
    if (!gone) throw new DomainError("NOT_FOUND", MESSAGES.webhooks.notFound);
    await auditWebhook(tx, { kind: "webhook.deleted", by, url: gone.url });
    return { id: gone.id };
  });
}

/** By its host: the rest of an address may be a secret. */
async function auditWebhook(
  tx: Tx,
  { kind, by, url }: { kind: "webhook.created" | "webhook.deleted"; by: Actor; url: string },
): Promise<void> {
  await insertAudit(tx, { kind, actorId: by.id, subjectId: null, details: { host: new URL(url).host } });
}

/** Queues an event of the kind `test`. */
export async function queueTest(db: Db, { webhookId }: { webhookId: string }): Promise<{ id: string }> {
  return db.transaction(async (tx) => {
    const ofWebhook = eq(webhooks.id, webhookId);
    const [known] = await tx.select({ id: webhooks.id }).from(webhooks).where(ofWebhook).for("key share");
    if (!known) throw new DomainError("NOT_FOUND", MESSAGES.webhooks.notFound);
    const delivery = newDelivery({ webhookId, kind: "test", data: {} });
    await tx.insert(webhookDeliveries).values(columnsOf(webhookDeliveries, { ...delivery, cause: null }));
    return { id: delivery.id };
  });
}

/** What happened, as the notification of it says. */
interface OrganisationEvent {
  kind: NotificationKind;
  cause: string;
  actorId: string | null;
  recipients: readonly string[];
  projectId?: string | null;
  taskId?: string | null;
  commentId?: string | null;
  inquiryId?: string | null;
  requestId?: string | null;
  signOffId?: string | null;
  personId?: string | null;
  details?: string | null;
}

/** What every event says of its subjects: docs/webhooks.md. Null for what it is not about. */
interface EventSubjects {
  project: { id: string; key: string; title: string } | null;
  task: { id: string; key: string; title: string } | null;
  request: { id: string; title: string } | null;
  commentId: string | null;
  inquiryId: string | null;
  signOffId: string | null;
  userId: string | null;
  actorId: string | null;
}

/** Of these an event says who they are; nobody but the actor is no event. */
const PERSONAL_KINDS: readonly NotificationKind[] = ["assigned", "mentioned"];

/** Queues an event for these webhooks, in the transaction of what happened: once, whoever is notified of it. */
export async function queueDeliveries(
  tx: Tx,
  { webhookIds, ...event }: OrganisationEvent & { webhookIds: readonly string[] },
): Promise<void> {
  if (webhookIds.length === 0) return;
  const { kind, cause, actorId, projectId, taskId, requestId } = event;
  const personIds = event.recipients.filter((id) => id !== actorId);
  if (PERSONAL_KINDS.includes(kind) && personIds.length === 0) return;
  const wanting = await tx
    .select({
      webhookId: webhooks.id,
      project: { id: projects.id, key: projects.key, title: projects.title },
      task: { id: tasks.id, number: tasks.number, title: tasks.title },
      request: { id: requests.id, title: requests.title },
    })
    .from(webhooks)
    .leftJoin(projects, projectId ? eq(projects.id, projectId) : sql`false`)
    .leftJoin(tasks, taskId ? eq(tasks.id, taskId) : sql`false`)
    .leftJoin(requests, requestId ? eq(requests.id, requestId) : sql`false`)
    .where(inArray(webhooks.id, [...webhookIds]))
    // One that is being deleted takes its deliveries with it.
    .for("key share", { of: webhooks });
  if (wanting.length === 0) return;
  const { commentId = null, inquiryId = null, signOffId = null, personId: userId = null } = event;
  const rows = wanting.map(({ webhookId, project, task, request }) => {
    const named = task && { id: task.id, key: `${project?.key}-${task.number}`, title: task.title };
    const about: EventSubjects = { project, task: named, request, commentId, inquiryId, signOffId, userId, actorId };
    const data = { ...about, ...(PERSONAL_KINDS.includes(kind) && { personIds }), ...detailOf(event) };
    return { ...newDelivery({ webhookId, kind, data }), cause };
  });
  await tx
    .insert(webhookDeliveries)
    .values(rowsOf(webhookDeliveries, rows))
    .onConflictDoNothing({
      target: [webhookDeliveries.webhookId, webhookDeliveries.kind, webhookDeliveries.cause],
    });
}

/** What else an event says: one word or day of a known set, never what somebody wrote. */
function detailOf({ kind, details }: OrganisationEvent): Record<string, string> {
  if (!details) return {};
  if (kind === "project-status") return { status: details };
  if (kind === "due-soon" || kind === "overdue") return { dueDate: details };
  if (kind === "repository-trouble") return { repository: details };
  if (kind === "status-update") return { health: details };
  const statuses: readonly string[] = [...REQUEST_STATUSES, ...SIGN_OFF_STATUSES];
  return (kind === "request-decided" || kind === "sign-off-decided") && statuses.includes(details)
    ? { status: details }
    : {};
}

function newDelivery({ webhookId, kind, data }: { webhookId: string; kind: NotificationKind | "test"; data: object }) {
  const [id, createdAt] = [randomUUID(), new Date()];
  return {
    id,
    webhookId,
    kind,
    createdAt,
    body: JSON.stringify({ id, kind, createdAt: createdAt.toISOString(), data }),
  };
}
