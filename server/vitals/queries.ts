import { asc, sql } from "drizzle-orm";
import type { Db } from "../../db/client";
import { webVitals } from "../../db/schema";
import { VITALS_DAYS, type VitalSummary } from "../contract/vitals";

/** The 75th percentile of each measurement on each page over the last 28 days, ordered by page and measurement. */
export function listVitals(db: Db): Promise<VitalSummary[]> {
  return db
    .select({
      route: webVitals.route,
      vital: webVitals.vital,
      p75: sql<number>`percentile_cont(0.75) within group (order by ${webVitals.value})`.mapWith(Number),
      count: sql<number>`count(*)::int`,
    })
    .from(webVitals)
    .where(sql`${webVitals.at} > now() - make_interval(days => ${VITALS_DAYS})`)
    .groupBy(webVitals.route, webVitals.vital)
    .orderBy(asc(webVitals.route), asc(webVitals.vital));
}
