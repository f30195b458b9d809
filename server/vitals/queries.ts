import { asc, sql } from "drizzle-orm";
import type { Db } from "../../db/client";
import { webVitals } from "../../db/schema";
import { VITALS_DAYS, type VitalSummary, type VitalsReport } from "../contract/vitals";

const isKept = sql`${webVitals.at} > now() - make_interval(days => ${VITALS_DAYS})`;

/** The 75th percentile of each kind on each page that was opened in the last 28 days, by page and kind. */
export function listVitals(db: Db): Promise<VitalSummary[]> {
  return db
    .select({
      route: webVitals.route,
      vital: webVitals.vital,
      p75: sql<number>`percentile_cont(0.75) within group (order by ${webVitals.value})`.mapWith(Number),
      count: sql<number>`count(*)::int`,
    })
    .from(webVitals)
    .where(isKept)
    .groupBy(webVitals.route, webVitals.vital)
    .orderBy(asc(webVitals.route), asc(webVitals.vital));
}

/** Keeps one visit's measurements. */
export async function insertVitals(db: Db, { route, vitals }: VitalsReport): Promise<void> {
  await db.insert(webVitals).values(vitals.map(({ vital, value }) => ({ route, vital, value })));
}

/** Forgets what is older than 28 days. */
export async function sweepVitals(db: Db): Promise<void> {
  await db.delete(webVitals).where(sql`not (${isKept})`);
}
