import { eq, ne } from "drizzle-orm";
import { webhooks } from "../../db/schema";
import { columnsOf } from "../../db/writes";
import type { SealedColumn } from "../core/vault";

/** What the secret of a webhook is sealed with: it opens for no other one. */
export function boundTo(webhookId: string): string {
  return `secret of the webhook ${webhookId}`;
}

/** The secrets as `reseal` sees them. */
export const sealedWebhookSecrets: SealedColumn = {
  name: "secrets of webhooks",
  async list(db, { thanKeyId }) {
    const { id, sealedSecret: sealed, keyId } = webhooks;
    const rows = await db.select({ id, sealed, keyId }).from(webhooks).where(ne(keyId, thanKeyId));
    return rows.map(({ id: webhookId, ...row }) => ({ ...row, bound: boundTo(webhookId) }));
  },
  async replace(db, { from, to }) {
    await db
      .update(webhooks)
      .set(columnsOf(webhooks, { sealedSecret: to.sealed, keyId: to.keyId }))
      .where(eq(webhooks.sealedSecret, from.sealed));
  },
};
