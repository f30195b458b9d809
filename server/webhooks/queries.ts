import type { NotificationKind } from "@db/event-kinds";
import { desc, eq, sql } from "drizzle-orm";
import type { Db } from "../../db/client";
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
