import { setTimeout as wait } from "node:timers/promises";

/** A connection to Redis or Valkey that publishes, and a second one that has subscribed: the older protocol wants two. */
export interface BusConnection {
  /** To everybody who has subscribed, this process included; in the order of calls. Rejects when it is certain not to arrive. */
  publish(message: string): Promise<unknown>;
  /** Gives it up: `onEnd` runs. */
  fail(error: Error): void;
  /** Receives nothing any more at once, and ends after so long. `onEnd` does not run, and the process need not wait. */
  endAfter(ms: number): void;
}

/** About 500 bytes each. A bus that reads slower than we write costs notifications, not memory. */
const MAX_PENDING = 10_000;

/**
 * Connects and subscribes, or rejects within `timeoutMs`. `onEnd` runs once when either connection is lost; nothing is connected
 * again. The client is loaded here, so that servers without a bus never load it.
 */
export async function openBusConnection(
  url: string,
  {
    timeoutMs,
    onMessage,
    onEnd,
  }: { timeoutMs: number; onMessage: (message: string) => void; onEnd: (error: Error) => void },
): Promise<BusConnection> {
  const { createClient } = await import("@redis/client");
  const { server, channel } = addressOf(url);
  const newClient = () =>
    createClient({
      url: server,
      RESP: 2,
      disableClientInfo: true,
      disableOfflineQueue: true,
      maintNotifications: "disabled",
      commandsQueueMaxLength: MAX_PENDING,
      // The client would make a timer for each message; `fail` rejects those that are pending.
      commandOptions: { timeout: 0 },
      socket: { connectTimeout: timeoutMs, reconnectStrategy: false },
    });
  const [publishing, subscribed] = [newClient(), newClient()];
  let isOpen = false;
  const destroy = () => {
    isOpen = false;
    publishing.destroy();
    subscribed.destroy();
  };
  const fail = (error: Error) => {
    if (!isOpen) return;
    destroy();
    onEnd(error);
  };
  for (const client of [publishing, subscribed]) client.on("error", fail);
  const open = async () => {
    await Promise.all([publishing.connect(), subscribed.connect()]);
    await Promise.all([publishing.ping(), subscribed.subscribe(channel, onMessage)]);
    return true;
  };
  try {
    const opening = open();
    if (!(await Promise.race([opening, wait(timeoutMs, false, { ref: false })]))) {
      opening.catch(() => {});
      throw new BusTimeoutError();
    }
  } catch (error) {
    destroy();
    throw error;
  }
  isOpen = true;
  return {
    publish: (message) => publishing.publish(channel, message),
    fail,
    endAfter(ms) {
      isOpen = false;
      subscribed.destroy();
      publishing.unref();
      setTimeout(() => publishing.destroy(), ms).unref();
    },
  };
}

/** It did not answer in time. */
class BusTimeoutError extends Error {
  override name = "BusTimeoutError";
}

/** Channels are the same in all databases of a Redis, so the number of one is part of their name, and is not selected. */
function addressOf(url: string): { server: string; channel: string } {
  const server = new URL(url);
  const database = server.pathname.slice(1);
  server.pathname = "";
  return { server: server.href, channel: `sangam:${database || 0}` };
}
