import { disposeServer, startServer } from "../e2e/server";
import { sample, spread } from "./lib/measure";

/*
 * Do people who read wait behind people who sign in? The same read, measured on a quiet server and while 8 sign-ins are in
 * flight all the time, interleaved in one run. Server, PostgreSQL and this load share the machine.
 */

const ROUNDS = 5;
const ROUND_MS = 3_000;
const SIGN_INS = 8;

const server = await startServer({ LOG_LEVEL: "silent" });
try {
  const signIn = () =>
    fetch(`${server.url}/api/trpc/auth.signIn`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ json: { email: "rohan@sangam.example", password: "sangam-demo", rememberMe: true } }),
    });
  const cookie = ((await signIn()).headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  const read = async () => {
    const answer = await fetch(`${server.url}/api/trpc/auth.me`, { headers: { cookie } });
    if (!answer.ok) throw new Error(`auth.me answered ${answer.status}`);
    await answer.arrayBuffer();
  };
  await sample({ concurrency: 2, durationMs: 1_000, work: read });
  const ratios: number[] = [];
  const rates: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const quiet = await sample({ concurrency: 2, durationMs: ROUND_MS, work: read });
    const [busy, signIns] = await Promise.all([
      sample({ concurrency: 2, durationMs: ROUND_MS, work: read }),
      sample({
        concurrency: SIGN_INS,
        durationMs: ROUND_MS,
        work: async () => void (await (await signIn()).arrayBuffer()),
      }),
    ]);
    ratios.push(busy.p99 / quiet.p99);
    rates.push((signIns.count / ROUND_MS) * 1000);
    console.log(
      `round ${round + 1}: read p99 ${quiet.p99.toFixed(1)} ms quiet, ${busy.p99.toFixed(1)} ms beside ${SIGN_INS} sign-ins (p50 ${quiet.p50.toFixed(1)}, ${busy.p50.toFixed(1)})`,
    );
  }
  console.log(`reads beside ${SIGN_INS} sign-ins, p99 to quiet p99: ${spread(ratios)} times; wanted: under 3`);
  console.log(`sign-ins a second meanwhile: ${spread(rates)}`);
} finally {
  await disposeServer(server);
}
