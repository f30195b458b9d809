import { scrypt } from "node:crypto";
import { disposeServer, startServer } from "../e2e/server";
import { type Sample, sample } from "./lib/measure";
import { judge, otherCheckout } from "./lib/verdict";

/*
 * Eight sign-ins at a time beside what two cores can hash when they do nothing else; then the same read of four other people, each
 * twenty times a second, on a quiet server and beside eight sign-ins, interleaved in one run. Server, PostgreSQL and this load
 * share the machine. With --against the other version is measured so afterwards.
 */

const ROUNDS = 5;
const ROUND_MS = 3_000;
const AT_ONCE = 8;
const READERS = { concurrency: 4, everyMs: 50 };
/** Of the auth library. */
const COST = { N: 16384, r: 16, p: 1, maxmem: 128 * 16384 * 16 * 2 };

await measure(".", "");
const other = otherCheckout();
if (other !== null) await measure(other, ", the other version");

async function measure(folder: string, note: string): Promise<void> {
  const server = await startServer({ LOG_LEVEL: "silent" }, folder);
  try {
    const { rates, ratesBesideReads, tails } = await rounds(server.url);
    const goal = { atLeast: 0.8, unit: "of scrypt alone on two cores" };
    judge({ what: `sign-in, c${AT_ONCE}${note}`, goal, values: rates });
    judge({ what: `sign-in, c${AT_ONCE}, beside reads${note}`, goal, values: ratesBesideReads });
    judge({
      what: `reads beside ${AT_ONCE} sign-ins: p99${note}`,
      goal: { atMost: 2, unit: "times quiet" },
      values: tails,
    });
  } finally {
    await disposeServer(server);
  }
}

async function rounds(url: string): Promise<{ rates: number[]; ratesBesideReads: number[]; tails: number[] }> {
  const { cookie } = await signIn(url);
  const reads = () =>
    sample({
      ...READERS,
      durationMs: ROUND_MS,
      async work() {
        const answer = await fetch(`${url}/api/trpc/auth.me`, { headers: { cookie } });
        if (!answer.ok) throw new Error(`auth.me answered ${answer.status}`);
        await answer.arrayBuffer();
      },
    });
  const signIns = () => rateOf(AT_ONCE, async () => void (await signIn(url)));
  await reads();
  await signIns();
  const measured = { rates: [] as number[], ratesBesideReads: [] as number[], tails: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    const bare = await rateOf(2, hashAlone);
    const rate = await signIns();
    const quiet = await reads();
    const [busy, rateBesideReads] = await Promise.all([reads(), signIns()]);
    measured.rates.push(rate / bare);
    measured.ratesBesideReads.push(rateBesideReads / bare);
    measured.tails.push(busy.p99 / quiet.p99);
    console.log(
      `round ${round + 1}: ${rate.toFixed(1)} sign-ins a second, ${rateBesideReads.toFixed(1)} beside reads, scrypt alone ${bare.toFixed(1)}; ${describe(quiet, busy)}`,
    );
  }
  return measured;
}

function describe(quiet: Sample, busy: Sample): string {
  return `a read's p50 ${quiet.p50.toFixed(1)} -> ${busy.p50.toFixed(1)} ms, p99 ${quiet.p99.toFixed(1)} -> ${busy.p99.toFixed(1)}`;
}

/** A second. */
async function rateOf(concurrency: number, work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  const { count } = await sample({ concurrency, durationMs: ROUND_MS, work });
  return (count / (performance.now() - startedAt)) * 1_000;
}

async function signIn(url: string): Promise<{ cookie: string }> {
  const answer = await fetch(`${url}/api/trpc/auth.signIn`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ json: { email: "rohan@sangam.example", password: "sangam-demo", rememberMe: true } }),
  });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`auth.signIn answered ${answer.status}`);
  return { cookie: (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "" };
}

function hashAlone(): Promise<void> {
  return new Promise((resolve, reject) => {
    scrypt("sangam-demo", "a salt of its own", 64, COST, (error) => (error ? reject(error) : resolve()));
  });
}
