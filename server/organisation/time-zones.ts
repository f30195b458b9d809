import { isTimeZone, zoneOf } from "../contract/organisation";

/**
 * The name by which a database knows a time zone: the same, else another of that zone, else null. Intl has old names that a
 * PostgreSQL may lack: Asia/Calcutta for Asia/Kolkata.
 */
export function matchTimeZone(name: string, present: readonly string[]): string | null {
  if (!isTimeZone(name)) return null;
  const same = present.find((one) => one.toLowerCase() === name.toLowerCase());
  if (same !== undefined) return same;
  const zone = zoneOf(name);
  return present.find((one) => isTimeZone(one) && zoneOf(one) === zone) ?? null;
}
