import type { Db } from "../../db/client";
import { webVitals } from "../../db/schema";
import { rowsOf } from "../../db/writes";
import { MESSAGES } from "../contract/messages";
import { type VitalsReport, vitalsSchema } from "../contract/vitals";
import type { Context } from "../core/context";
import { DomainError } from "../core/errors";
import { parseJson } from "../core/parse-json";
import type { ProcedureTimes } from "../core/procedure-times";

/** A report has five numbers. */
const MAX_CHARACTERS = 1_000;

/**
 * Stores the measurements that a page sends when it is left (`navigator.sendBeacon`, so nobody reads the response). Accepts
 * known pages and plausible numbers only, rate limited by address; throws a DomainError for all else.
 */
export async function receiveVitals(
  { db, limits, vitalTimes, address }: Pick<Context, "db" | "limits" | "address"> & { vitalTimes: ProcedureTimes },
  body: string,
): Promise<void> {
  if (body.length > MAX_CHARACTERS)
    throw new DomainError("PAYLOAD_TOO_LARGE", MESSAGES.general.tooLarge, { reason: "too-large" });
  const report = vitalsSchema.safeParse(parseJson(body));
  if (!report.success) throw new DomainError("BAD_REQUEST", MESSAGES.general.unreadable);
  await limits.consume("vitals", address);
  const { route, vitals } = report.data;
  for (const { vital, value } of vitals) {
    vitalTimes.record({ procedure: vital, milliseconds: vital === "CLS" ? value * 1_000 : value }, route);
  }
  await insertVitals(db, report.data);
}

/** Stores the measurements of one visit. */
export async function insertVitals(db: Db, { route, vitals }: VitalsReport): Promise<void> {
  await db.insert(webVitals).values(
    rowsOf(
      webVitals,
      vitals.map(({ vital, value }) => ({ route, vital, value })),
    ),
  );
}
