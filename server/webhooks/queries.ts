import type { NotificationKind } from "@db/event-kinds";
import { desc, eq, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import { isoInstant } from "../../db/expressions";
import { users, webhookDeliveries, webhooks } from "../../db/schema";
import { MESSAGES } from "../contract/messages";
import type { Webhook, WebhookDelivery } from "../contract/views";
import { DomainError } from "../core/errors";
import { personJson } from "../users/queries";

const MAX_LISTED = 100;

/** All webhooks, newest first, without their secrets. */
export function listWebhooks(db: Db): Promise<Webhook[]> {
  const { id, url, createdAt } = webhooks;
  const kinds = sql<NotificationKind[]>`to_json(${webhooks.kinds})`;
  return db
    .select({ id, url, kinds, createdAt: isoInstant(createdAt), createdBy: personJson(users) })
    .from(webhooks)
    .innerJoin(users, eq(users.id, webhooks.createdBy))
    .orderBy(desc(createdAt), desc(id));
}

/** One row, for the statement of somebody else: `ids` of the webhooks that want a kind. */
export function webhooksWanting(tx: Tx, kind: NotificationKind) {
  const ids = sql<string[]>`coalesce(json_agg(${webhooks.id}), '[]')`.as("ids");
  return tx.select({ ids }).from(webhooks).where(sql`${kind} = any(${webhooks.kinds})`).as("wanting");
}

/** The newest deliveries of a webhook, newest first; NOT_FOUND for one that is gone. */
export async function listDeliveries(db: Db, { webhookId }: { webhookId: string }): Promise<WebhookDelivery[]> {
  const [known] = await db.select({ id: webhooks.id }).from(webhooks).where(eq(webhooks.id, webhookId));
  if (!known) throw new DomainError("NOT_FOUND", MESSAGES.webhooks.notFound);
  const { id, createdAt, attempts, lastStatus, lastError, deliveredAt, gaveUpAt, dueAt } = webhookDeliveries;
  return db
    .select({
      id,
      kind: sql<WebhookDelivery["kind"]>`${webhookDeliveries.kind}`,
      createdAt: isoInstant(createdAt),
      status: sql<WebhookDelivery["status"]>`case when ${deliveredAt} is not null then 'delivered'
        when ${gaveUpAt} is not null then 'failed' else 'waiting' end`,
      ...{ attempts, lastStatus, lastError },
      lastAttemptAt: isoInstant(webhookDeliveries.lastAttemptAt),
      nextAttemptAt: isoInstant(
        sql<Date | null>`case when ${deliveredAt} is null and ${gaveUpAt} is null then ${dueAt} end`,
      ),
    })
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.webhookId, webhookId))
    .orderBy(desc(createdAt), desc(id))
    .limit(MAX_LISTED);
}
