import DataLoader from "dataloader";
import type { Db } from "../../db/client";
import type { Actor, Context } from "../core/context";
import { profileMissing, refusedStatus, sessionEnded } from "../core/procedures";
import { findLiveActors, findStatus } from "./queries";

/**
 * Whether a stream's session and account still stand, read now and in one query for all that ask in the same tick.
 * Refuses with the literal sentence of a refused account, else as signed out.
 */
export function createLiveness(db: Db): Context["requireLive"] {
  const live = new DataLoader<string, Actor | null>(
    async (sessionIds) => {
      const actors = await findLiveActors(db, [...new Set(sessionIds)]);
      return sessionIds.map((id) => actors.get(id) ?? null);
    },
    { cache: false },
  );
  return async ({ sessionId, actorId }) => {
    const actor = await live.load(sessionId);
    if (actor) return actor;
    const status = await findStatus(db, { id: actorId });
    if (status === null) throw profileMissing();
    if (status !== "active") throw refusedStatus(status);
    throw sessionEnded();
  };
}
