import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isNull } from "drizzle-orm";
import { files } from "../db/schema";
import { MAX_FILE_BYTES } from "../server/contract/files";
import { sample } from "./lib/measure";
import { makeFirm, startRig } from "./lib/rig";
import { heldBy, makeFiles, peakOf, startUploader } from "./lib/uploads";
import { judge } from "./lib/verdict";

/*
 * What uploads of 25 MB cost: the memory of the server for one that comes alone, the first of its process and later ones, and for 20
 * at once; what four people's reads take meanwhile, each twenty times a second; and what is left of uploads that break off. Server,
 * PostgreSQL and load share the machine, and an upload comes over it as fast as the server takes it.
 */

const ROUNDS = 5;
const AT_ONCE = 20;
const BROKEN = 30;
const READERS = { concurrency: 4, everyMs: 50 };
const QUIET_MS = 4_000;
const SETTLE_MS = 2_500;

const folder = mkdtempSync(join(tmpdir(), "sangam-bench-uploads-"));
const rig = await startRig({ withFloor: false, env: { FILES_QUOTA_GB: "1000" } });
const uploader = startUploader();
try {
  const paths = await makeFiles(folder);
  const { user, projectIds } = await makeFirm(rig.db, { projects: 1, tasks: 200, tasksOfFirst: 200 });
  const cookie = await rig.cookieOf(user);
  const { url } = rig.server;
  const uploadWhole = async (path: string) => {
    const status = await uploader.upload({ url, cookie, path });
    if (status !== 200) throw new Error(`an upload was answered with ${status}`);
    // More than a person may leave unattached would be refused.
    await rig.db.update(files).set({ attachedAt: new Date() }).where(isNull(files.attachedAt));
  };
  const input = encodeURIComponent(JSON.stringify({ json: { projectId: projectIds[0] } }));
  const read = async () => {
    const answer = await fetch(`${url}/api/trpc/tasks.list?input=${input}`, { headers: { cookie } });
    if (!answer.ok) throw new Error(`tasks.list answered ${answer.status}`);
    await answer.arrayBuffer();
  };
  for (const [kind, path] of Object.entries(paths)) await memoryOf(kind, { read, work: () => uploadWhole(path) });
  await readsBeside({ read, uploadAll: () => uploadAll(Object.values(paths).slice(0, 2), uploadWhole) });
  await breakOff((cutAt) => uploader.upload({ url, cookie, path: cutAt % 2 ? paths.photo : paths.opaque, cutAt }));
  await killedWithin(() =>
    uploader.upload({ url, cookie, path: paths.opaque, cutAt: MAX_FILE_BYTES / 2, isHeld: true }),
  );
} finally {
  await uploader.close();
  await rig.close();
  rmSync(folder, { recursive: true, force: true });
}

interface Work {
  read: () => Promise<void>;
  work: () => Promise<void>;
}

/** A server that was just started, and has read a little. */
async function memoryOf(kind: string, { read, work }: Work): Promise<void> {
  await rig.server.stop();
  await rig.server.start();
  await sample({ ...READERS, durationMs: 3_000, work: read });
  await sleep(SETTLE_MS);
  const idle = heldBy(rig.server.pid()).resident;
  const above: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { server, helpers } = await peakOf(rig.server.pid(), work);
    above.push(server - idle);
    const which = round === 0 ? "the first" : `number ${round + 1}`;
    console.log(
      `25 MB, ${kind}, ${which}: ${idle.toFixed(0)} MB -> ${server.toFixed(0)}; beside it ${helpers.toFixed(0)}`,
    );
    await sleep(SETTLE_MS);
  }
  const goal = { atMost: 30, unit: "MB above idle" };
  judge({ what: `memory of the first upload, ${kind}`, goal, values: above.slice(0, 1) });
  judge({ what: `memory of later uploads, ${kind}`, goal, values: above.slice(1) });
}

/** As many at once, each another one's neighbour. */
async function uploadAll(paths: string[], uploadWhole: (path: string) => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => uploadWhole(paths[at % paths.length] ?? "")));
}

async function readsBeside({ read, uploadAll }: { read: () => Promise<void>; uploadAll: () => Promise<void> }) {
  await uploadAll();
  const tails: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await sleep(SETTLE_MS);
    const quiet = await sample({ ...READERS, durationMs: QUIET_MS, work: read });
    const before = heldBy(rig.server.pid()).resident;
    const startedAt = performance.now();
    let isOver = false;
    let batches = 0;
    const several = async () => {
      while (performance.now() - startedAt < QUIET_MS) {
        await uploadAll();
        batches += 1;
      }
    };
    const uploads = peakOf(rig.server.pid(), several).finally(() => {
      isOver = true;
    });
    const busy = await sample({ ...READERS, isOver: () => isOver, work: read });
    const { server, helpers } = await uploads;
    tails.push(busy.p99 / quiet.p99);
    console.log(
      `round ${round + 1}: ${AT_ONCE} uploads in ${((performance.now() - startedAt) / 1_000 / batches).toFixed(1)} s, ${before.toFixed(0)} MB -> ${server.toFixed(0)}, beside it ${helpers.toFixed(0)}; ` +
        `a read's p50 ${quiet.p50.toFixed(1)} -> ${busy.p50.toFixed(1)} ms, p99 ${quiet.p99.toFixed(1)} -> ${busy.p99.toFixed(1)}`,
    );
  }
  judge({ what: `reads beside ${AT_ONCE} uploads: p99`, goal: { atMost: 2, unit: "times quiet" }, values: tails });
}

/** At any byte. */
async function breakOff(upload: (cutAt: number) => Promise<number>): Promise<void> {
  const anyByte = () => 1 + Math.floor(Math.random() * (MAX_FILE_BYTES - 2));
  const before = await countLeft();
  await Promise.all(Array.from({ length: BROKEN }, () => upload(anyByte())));
  await sleep(SETTLE_MS);
  judge({
    what: `left of ${BROKEN} uploads broken off`,
    goal: { atMost: 0, unit: "files and rows" },
    values: [(await countLeft()) - before],
  });
}

/** What is left is nobody's: the first sweep after an hour removes it. */
async function killedWithin(upload: () => Promise<number>): Promise<void> {
  const before = await countLeft();
  const cut = Array.from({ length: AT_ONCE }, upload);
  while ((await countLeft()) - before < AT_ONCE) await sleep(5);
  await rig.server.kill();
  await Promise.all(cut);
  const uploads = join(rig.server.dataDir, "uploads");
  const killed = readdirSync(uploads);
  const anHourAgo = new Date(Date.now() - 3_700_000);
  for (const name of killed) utimesSync(join(uploads, name), anHourAgo, anHourAgo);
  await rig.server.start();
  await sleep(SETTLE_MS);
  const what = `left of the ${killed.length} uploads in which the server was killed`;
  judge({ what, goal: { atMost: 0, unit: "files and rows" }, values: [(await countLeft()) - before] });
}

/** Rows, and files of this product in the data folder and the system's temporary one. */
async function countLeft(): Promise<number> {
  const below = (path: string) =>
    existsSync(path)
      ? readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length
      : 0;
  const { dataDir } = rig.server;
  const rows = await rig.db.$count(files).catch(() => 0);
  return rows + below(join(dataDir, "uploads")) + below(join(dataDir, "files"));
}
