import { scrypt } from "node:crypto";
import { disposeServer, startServer } from "../e2e/server";
import { type Sample, sample } from "./lib/measure";
import { judge } from "./lib/verdict";

/*
 * Eight sign-ins at a time beside what two cores can hash when they do nothing else, and the same read of two other people on a
 * quiet server and meanwhile, interleaved in one run. Server, PostgreSQL and this load share the machine. Behind it the curve:
 * with fewer at a time, the same.
 */

const ROUNDS = 5;
const ROUND_MS = 2_000;
const LEVELS = [1, 2, 4, 8];
/** Of the auth library. */
const COST = { N: 16384, r: 16, p: 1, maxmem: 128 * 16384 * 16 * 2 };

const server = await startServer({ LOG_LEVEL: "silent" });
try {
  const { cookie } = await signIn();
  const read = async () => {
    const answer = await fetch(`${server.url}/api/trpc/auth.me`, { headers: { cookie } });
    if (!answer.ok) throw new Error(`auth.me answered ${answer.status}`);
    await answer.arrayBuffer();
  };
  const reads = () => sample({ concurrency: 2, durationMs: ROUND_MS, work: read });
  await reads();
  for (const level of LEVELS) {
    const isGoal = level === Math.max(...LEVELS);
    const ratios: { rates: number[]; tails: number[] } = { rates: [], tails: [] };
    for (let round = 0; round < (isGoal ? ROUNDS : 2); round += 1) {
      const bare = await rateOf(2, hashAlone);
      const quiet = await reads();
      const [busy, rate] = await Promise.all([reads(), rateOf(level, async () => void (await signIn()))]);
      ratios.rates.push(rate / bare);
      ratios.tails.push(busy.p99 / quiet.p99);
      console.log(
        `${level} at a time: ${rate.toFixed(1)} sign-ins a second, scrypt alone ${bare.toFixed(1)}; ${describe(quiet, busy)}`,
      );
    }
    if (!isGoal) continue;
    judge({
      what: `sign-in, c${level}`,
      goal: { atLeast: 0.8, unit: "of scrypt alone on two cores" },
      values: ratios.rates,
    });
    judge({
      what: `reads beside ${level} sign-ins: p99`,
      goal: { atMost: 2, unit: "times quiet" },
      values: ratios.tails,
    });
  }
} finally {
  await disposeServer(server);
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

async function signIn(): Promise<{ cookie: string }> {
  const answer = await fetch(`${server.url}/api/trpc/auth.signIn`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ json: { email: "rohan@sangam.example", password: "sangam-demo", rememberMe: true } }),
  });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`auth.signIn answered ${answer.status}: the machine is too busy to measure`);
  return { cookie: (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "" };
}

function hashAlone(): Promise<void> {
  return new Promise((resolve, reject) => {
    scrypt("sangam-demo", "a salt of its own", 64, COST, (error) => (error ? reject(error) : resolve()));
  });
}
