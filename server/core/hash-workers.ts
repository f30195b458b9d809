import { Worker } from "node:worker_threads";

/** Linux lowers the priority of one thread. Elsewhere it would be that of the whole process, reads included. */
const CAN_LOWER = process.platform === "linux";
/** A tenth of the claim that any other thread has on a busy core, all of an idle one. `npm run bench sign-in` compares others. */
const NICENESS = 10;

/**
 * The auth library's scrypt, in a thread of its own rather than in Node's pool, whose threads have everybody's priority. As text,
 * because the server is one bundled file and tests run from the sources.
 */
const SOURCE = `
const { scryptSync } = require("node:crypto");
const { getPriority, setPriority } = require("node:os");
const { parentPort } = require("node:worker_threads");
if (${CAN_LOWER}) setPriority(Math.min(19, getPriority() + ${NICENESS}));
const cost = { N: 16384, r: 16, p: 1 };
const maxmem = 128 * cost.N * cost.r * 2;
parentPort.on("message", ({ password, salt }) => {
  parentPort.postMessage(scryptSync(password.normalize("NFKC"), salt, 64, { ...cost, maxmem }));
});`;

/** How many hashes may run at a time beside everything else: on all cores where they can give way, else one core is left free. */
export function hashWorkers(cores: number): number {
  return CAN_LOWER ? cores : Math.max(1, cores - 1);
}

const idle: Worker[] = [];

/** 64 bytes, as the auth library derives them. Each call under way takes a thread: 75 ms of one core, 32 MiB. */
export function deriveKey(secret: { password: string; salt: string }): Promise<Buffer> {
  const worker = idle.pop() ?? new Worker(SOURCE, { eval: true, execArgv: [] });
  worker.ref();
  return new Promise((resolve, reject) => {
    worker.once("error", reject);
    worker.once("message", (key: Uint8Array) => {
      worker.off("error", reject);
      // An idle thread keeps no process alive.
      worker.unref();
      idle.push(worker);
      resolve(Buffer.from(key));
    });
    worker.postMessage(secret);
  });
}
