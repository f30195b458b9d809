import { MESSAGES } from "../contract/messages";
import type { Actor, Context } from "../core/context";
import { DomainError } from "../core/errors";
import { findClientActor } from "./client-view";

/**
 * Whose eyes a read is answered with: the caller's own, or with `asClientId` that client's, for admins. From here on nothing
 * differs from the client's own call. NOT_FOUND for whoever is no client; such a read is audited.
 */
export async function readerOf(
  { db, actor }: Pick<Context, "db"> & { actor: Actor },
  asClientId: string | undefined,
): Promise<Actor> {
  if (asClientId === undefined) return actor;
  if (actor.accountType !== "admin") throw new DomainError("FORBIDDEN", MESSAGES.general.notAllowed);
  return findClientActor(db, { clientId: asClientId, by: actor });
}
