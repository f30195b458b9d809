import { randomUUID } from "node:crypto";
import * as z from "zod/mini";
import { type Connection, connect } from "../../db/client";
import { describeError, type Logger } from "../core/logger";
import { parseJson } from "../core/parse-json";
import { presenceMessageSchema } from "./announcer";
import { type Hub, SAFETY_PARTS } from "./hub";
import { CHANNEL } from "./notify";
import type { Presence } from "./presence";

/** A lost knock is noticed after this long at the most, whatever happened to the listening connection. */
const SAFETY_INTERVAL_MS = 15_000;

const subjectSchema = z.union([
  z.enum(["audit", "mail", "readings"]),
  z.templateLiteral(["project:", z.string()]),
  z.templateLiteral(["account:", z.string()]),
  z.templateLiteral(["conversation:", z.string()]),
  z.templateLiteral(["typing:", z.string(), ":", z.string()]),
  z.templateLiteral(["repository:", z.string()]),
  z.templateLiteral(["inquiry:", z.string()]),
]);
const knockSchema = z.object({
  subject: subjectSchema,
  topics: z.array(
    z.union([
      subjectSchema,
      z.enum(["projects", "accounts", "repositories", "inquiries"]),
      z.templateLiteral(["joined:", z.string()]),
      z.templateLiteral(["inbox:", z.string()]),
    ]),
  ),
});
const payloadSchema = z.union([knockSchema, presenceMessageSchema]);

const PING_TIMEOUT_MS = 2_000;

/** The process's one LISTEN connection. */
export interface Listener {
  /** Sends itself a notification and waits to hear it: true only when both the database and the listening are well. */
  isWell(): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * Hears every knock and hands it to the hub, and to the directory who is present elsewhere. postgres.js listens again by
 * itself after a drop, but what was announced meanwhile is lost: so each (re)start of listening, and a timer, make every
 * watcher compare.
 */
export async function startListener({
  connection,
  hub,
  presence,
  logger,
}: {
  connection: Connection;
  hub: Hub;
  presence?: Pick<Presence, "hear" | "ask">;
  logger: Logger;
}): Promise<Listener> {
  const sql = connect(connection, { max: 1 });
  const pings = new Map<string, () => void>();
  const onPayload = (payload: string) => {
    const ping = pings.get(payload);
    if (ping) return ping();
    if (payload.startsWith("ping ")) return;
    const { data: heard } = payloadSchema.safeParse(parseJson(payload));
    if (!heard) logger.warn("notification not understood");
    else if ("presence" in heard) presence?.hear(heard);
    else hub.deliver(heard);
  };
  const onListen = () => {
    hub.resyncAll();
    presence?.ask();
  };
  await sql.listen(CHANNEL, onPayload, onListen);
  const timer = setInterval(() => hub.resyncPart(), SAFETY_INTERVAL_MS / SAFETY_PARTS);
  timer.unref();
  return {
    async isWell() {
      const ping = `ping ${randomUUID()}`;
      try {
        return await new Promise<boolean>((resolve, reject) => {
          const timeout = setTimeout(() => resolve(false), PING_TIMEOUT_MS);
          pings.set(ping, () => {
            clearTimeout(timeout);
            resolve(true);
          });
          sql.notify(CHANNEL, ping).catch(reject);
        });
      } catch (error) {
        logger.warn("listener is away", describeError(error));
        return false;
      } finally {
        pings.delete(ping);
      }
    },
    async close() {
      clearInterval(timer);
      await sql.end({ timeout: 5 });
    },
  };
}
