import type { Db } from "../../db/client";
import type { Actor, Context } from "../core/context";
import { profileMissing, refusedStatus, sessionEnded, twoFactorSetupRequired } from "../core/procedures";
import { batchedRead } from "../realtime/stream";
import { findLiveActors, findStatus, isSessionLive } from "./queries";

/** The actor of a stream whose session and account are still good, as of now; else the error that says why they are not. */
export function createLiveness(db: Db): Context["requireLive"] {
  return async ({ sessionId, actorId, mayWait = false }) => {
    const actor = await (mayWait ? readActorSoon : readActor)(db, sessionId);
    if (actor) return actor;
    const status = await findStatus(db, { id: actorId });
    if (status === null) throw profileMissing();
    if (status !== "active") throw refusedStatus(status);
    throw (await isSessionLive(db, { id: sessionId })) ? twoFactorSetupRequired() : sessionEnded();
  };
}

/** The streams that the safety timer wakes up together end their reads within some milliseconds of each other. */
const TOGETHER_MS = 25;

async function readActors(db: Db, sessionIds: readonly string[]): Promise<(Actor | null)[]> {
  const actors = await findLiveActors(db, [...new Set(sessionIds)]);
  return sessionIds.map((id) => actors.get(id) ?? null);
}
const readActor = batchedRead(readActors);
const readActorSoon = batchedRead(readActors, { withinMs: TOGETHER_MS });
