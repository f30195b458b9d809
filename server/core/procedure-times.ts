/*
 * How often each procedure is called, how long it takes and how it ends. Counted on the way of every call: a call that is like one
 * before it allocates nothing and builds no text.
 */

/** One procedure in the last hour. */
export interface ProcedureSummary {
  name: string;
  count: number;
  p50Ms: number;
  p99Ms: number;
}

/** How often one procedure took how long in the last hour: the buckets that have any, each with its count. */
export interface ProcedureCounts {
  name: string;
  buckets: [at: number, count: number][];
}

/** All calls of one procedure that ended with one code, since the start of the process. */
interface CallTotals {
  procedure: string;
  /** "OK" or an error code of tRPC. */
  code: string;
  count: number;
  sumSeconds: number;
  /** Calls that took no longer than each of `BOUNDS_SECONDS`. */
  cumulative: number[];
}

export interface ProcedureTimes {
  /** Counts one call. Procedures and codes are those of the router and of tRPC: their number is bounded. */
  record(call: { procedure: string; milliseconds: number }, code: string): void;
  /** What was called within the last 55 to 60 minutes, in no order, for `summarize`. */
  lastHour(): ProcedureCounts[];
  /** In no order. */
  totals(): CallTotals[];
}

/** Buckets double every four steps: each is 19 % wider than the one before it. */
const STEPS = 4;
/** The first holds what took up to 1/8 ms, the last what took more than 65 s. */
const FIRST_EXPONENT = -3;
const LAST_EXPONENT = 16;
const BUCKETS = (LAST_EXPONENT - FIRST_EXPONENT) * STEPS + 2;

/** The hour, in slots that are forgotten one at a time. */
const SLOTS = 12;
const SLOT_MS = 300_000;

/** Every fourth bound, of those from 1 ms to 16 s. */
const REPORTED_EXPONENTS = Array.from({ length: 15 }, (_, exponent) => exponent);
export const BOUNDS_SECONDS: readonly number[] = REPORTED_EXPONENTS.map((exponent) => 2 ** exponent / 1_000);

interface Counts {
  buckets: Uint32Array;
  sumMs: number;
}

interface Slot {
  /** Which five minutes since the start of the process. */
  at: number;
  buckets: Uint32Array;
}

interface Procedure {
  byCode: Map<string, Counts>;
  /** Made when they are first needed: a procedure that nobody calls costs nothing. */
  slots: (Slot | undefined)[];
}

/** Counts the calls of one process; `nowMs` is a clock that never goes back. */
export function createProcedureTimes({ nowMs = () => performance.now() } = {}): ProcedureTimes {
  const procedures = new Map<string, Procedure>();
  return {
    record({ procedure: name, milliseconds }, code) {
      const procedure = keptIn(procedures, name, newProcedure);
      const counts = keptIn(procedure.byCode, code, newCounts);
      const bucket = bucketOf(milliseconds);
      increment(counts.buckets, bucket);
      counts.sumMs += milliseconds;
      increment(slotAt(procedure, Math.floor(nowMs() / SLOT_MS)).buckets, bucket);
    },
    lastHour() {
      const oldest = Math.floor(nowMs() / SLOT_MS) - SLOTS + 1;
      return [...procedures].flatMap(([name, { slots }]) => {
        const recent = slots.filter((slot) => slot !== undefined).filter(({ at }) => at >= oldest);
        const counts = Array.from({ length: BUCKETS }, (_, at) => sum(recent.map((slot) => slot.buckets[at] ?? 0)));
        const buckets = counts.flatMap((count, at): [number, number][] => (count > 0 ? [[at, count]] : []));
        return buckets.length > 0 ? [{ name, buckets }] : [];
      });
    },
    totals: () =>
      [...procedures].flatMap(([procedure, { byCode }]) =>
        [...byCode].map(([code, { buckets, sumMs }]) => ({
          procedure,
          code,
          count: sum(buckets),
          sumSeconds: sumMs / 1_000,
          cumulative: REPORTED_EXPONENTS.map((exponent) =>
            sum(buckets.subarray(0, (exponent - FIRST_EXPONENT) * STEPS + 1)),
          ),
        })),
      ),
  };
}

/** The slowest by `p99Ms` first; what several processes counted of one procedure is taken together. Times are right within 10 %. */
export function summarize(counts: readonly ProcedureCounts[]): ProcedureSummary[] {
  const merged = new Map<string, number[]>();
  for (const { name, buckets } of counts) {
    const all = keptIn(merged, name, () => Array<number>(BUCKETS).fill(0));
    for (const [at, count] of buckets) all[at] = (all[at] ?? 0) + count;
  }
  const summaries = [...merged].map(([name, buckets]) => {
    const count = sum(buckets);
    return { name, count, p50Ms: percentile(buckets, count * 0.5), p99Ms: percentile(buckets, count * 0.99) };
  });
  return summaries.sort((a, b) => b.p99Ms - a.p99Ms || b.count - a.count);
}

const newProcedure = (): Procedure => ({ byCode: new Map(), slots: Array(SLOTS) });
const newCounts = (): Counts => ({ buckets: new Uint32Array(BUCKETS), sumMs: 0 });

function keptIn<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** The bucket of a time: its bound is the first that is not below it. */
function bucketOf(milliseconds: number): number {
  const at = Math.ceil((Math.log2(milliseconds) - FIRST_EXPONENT) * STEPS);
  return Math.min(Math.max(at, 0), BUCKETS - 1);
}

function increment(buckets: Uint32Array, at: number): void {
  buckets[at] = (buckets[at] ?? 0) + 1;
}

function slotAt({ slots }: Procedure, at: number): Slot {
  const known = slots[at % SLOTS];
  if (known?.at === at) return known;
  const slot = known ?? { at, buckets: new Uint32Array(BUCKETS) };
  slot.at = at;
  slot.buckets.fill(0);
  slots[at % SLOTS] = slot;
  return slot;
}

/** The middle of the bucket in which the call of that rank lies, in milliseconds with one decimal. */
function percentile(buckets: readonly number[], rank: number): number {
  let seen = 0;
  const at = buckets.findIndex((count) => {
    seen += count;
    return seen >= rank;
  });
  const middle = 2 ** (FIRST_EXPONENT + (at - 0.5) / STEPS);
  return Math.round(middle * 10) / 10;
}

export function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const one of numbers) total += one;
  return total;
}
