import { Hono } from "hono";
import { type Db, isReachable } from "../db/client";

interface HealthOptions {
  db: Db;
  /** Whether notifications arrive, by PostgreSQL or by the bus. */
  isListening: () => Promise<boolean>;
  hasBus: boolean;
  /** How long a call has been pending past its deadline; 0 for none. */
  overdueMs: () => number;
  isStopping: () => boolean;
}

/** /healthz: the process answers. /readyz: it can serve, part by part, with 503 where one of them says no. */
export function healthRoutes({ db, isListening, hasBus, overdueMs, isStopping }: HealthOptions): Hono {
  const routes = new Hono();
  routes.get("/healthz", (c) => c.json({ ok: true }));
  routes.get("/readyz", async (c) => {
    const [database, listening] = await Promise.all([isReachable(db), isListening()]);
    // With a bus nobody listens to PostgreSQL. Without an answer of it notifications come late, which is no reason to restart.
    const parts = { database, listener: hasBus || listening, pool: overdueMs() === 0, serving: !isStopping() };
    const bus = hasBus ? { bus: listening } : {};
    return c.json({ ...parts, ...bus }, Object.values(parts).every(Boolean) ? 200 : 503);
  });
  return routes;
}
