import { MESSAGES } from "../contract/messages";
import type { Actor, Context } from "../core/context";
import { DomainError } from "../core/errors";
import { isLedHere } from "../core/origin";
import { findClientActor } from "./client-view";

/**
 * The effective actor of a read: the caller, or for admins with `asClientId` that client. From here on the read equals the
 * client's own call. NOT_FOUND for anybody else; such a read is audited.
 */
export async function effectiveActor(
  { db, headers, actor }: Pick<Context, "db" | "headers"> & { actor: Actor },
  asClientId: string | undefined,
): Promise<Actor> {
  if (asClientId === undefined) return actor;
  if (actor.accountType !== "admin") throw new DomainError("FORBIDDEN", MESSAGES.general.notAllowed);
  // It writes to the audit, which a link on another site must not trigger through the admin's cookie.
  if (isLedHere(headers)) throw new DomainError("FORBIDDEN", MESSAGES.general.foreignOrigin);
  return findClientActor(db, { clientId: asClientId, by: actor });
}
