import { MESSAGES } from "../contract/messages";
import type { Actor, Context } from "../core/context";
import { DomainError } from "../core/errors";
import { isLedHere } from "../core/origin";
import { findClientActor } from "./client-view";

/**
 * Whose eyes a read is answered with: the caller's own, or with `asClientId` that client's, for admins. From here on nothing
 * differs from the client's own call. NOT_FOUND for whoever is no client; such a read is audited.
 */
export async function effectiveActor(
  { db, headers, actor }: Pick<Context, "db" | "headers"> & { actor: Actor },
  asClientId: string | undefined,
): Promise<Actor> {
  if (asClientId === undefined) return actor;
  if (actor.accountType !== "admin") throw new DomainError("FORBIDDEN", MESSAGES.general.notAllowed);
  // It writes to the audit: a link on another site, which the cookie goes along with, must not do that in an admin's name.
  if (isLedHere(headers)) throw new DomainError("FORBIDDEN", MESSAGES.general.foreignOrigin);
  return findClientActor(db, { clientId: asClientId, by: actor });
}
