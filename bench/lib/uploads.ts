import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { appendFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setInterval } from "node:timers/promises";
import sharp from "sharp";
import { MAX_FILE_BYTES } from "../../server/contract/files";

const SAMPLE_MS = 20;

/** A file to upload; with `cutAt` only so many of its bytes, and then the connection breaks, or with `isHeld` stays open. */
interface Upload {
  url: string;
  cookie: string;
  path: string;
  cutAt?: number;
  isHeld?: boolean;
}

/** Uploads files from a process of its own; resolves with the status, 0 for what broke off. */
export function startUploader() {
  const child = fork(join("bench", "lib", "uploader.mjs"), { execArgv: [] });
  const waiting = new Map<number, (status: number) => void>();
  child.on("message", (answer: { id: number; status: number }) => {
    waiting.get(answer.id)?.(answer.status);
    waiting.delete(answer.id);
  });
  let lastId = 0;
  return {
    upload({ cutAt, ...upload }: Upload): Promise<number> {
      lastId += 1;
      const id = lastId;
      return new Promise((resolve) => {
        waiting.set(id, resolve);
        child.send({ id, cutAt: cutAt ?? null, ...upload });
      });
    },
    async close() {
      const ended = once(child, "exit");
      child.disconnect();
      await ended;
    },
  };
}

/** Files of 25 MB in that folder: their paths by what they are. */
export async function makeFiles(folder: string) {
  const pathOf = (name: string) => join(folder, name);
  const noise = (width: number, height: number) =>
    sharp({
      create: {
        ...{ width, height, channels: 3, background: "grey" },
        noise: { type: "gaussian", mean: 128, sigma: 20 },
      },
    });
  const opaque = pathOf("opaque.bin");
  await writeFile(opaque, randomBytes(MAX_FILE_BYTES));
  const photo = pathOf("photo.jpg");
  await noise(6_000, 4_500).withMetadata({ orientation: 6 }).jpeg({ quality: 88 }).toFile(photo);
  const large = pathOf("large.png");
  await sharp({ create: { width: 12_200, height: 12_200, channels: 3, background: "red" } })
    .png()
    .toFile(large);
  // All of its pixels lie in memory while it is read.
  const progressive = pathOf("progressive.jpg");
  await sharp({ create: { width: 12_200, height: 12_200, channels: 3, background: "red" } })
    .jpeg({ progressive: true, quality: 60 })
    .toFile(progressive);
  for (const path of [photo, large, progressive]) {
    // Behind the end of a picture may be anything.
    const { size } = await stat(path);
    if (size > MAX_FILE_BYTES) throw new Error(`${path} has ${size} bytes`);
    await appendFile(path, randomBytes(MAX_FILE_BYTES - size));
  }
  return { opaque, photo, large, progressive };
}

function randomBytes(size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  return bytes;
}

/** The most that a process, and its helpers of that name, held while `work` ran: MB. */
export async function peakOf<Result>(
  pid: number,
  work: () => Promise<Result>,
): Promise<{ server: number; helpers: number; result: Result }> {
  const stop = new AbortController();
  const peak = { server: 0, helpers: 0 };
  const watch = async () => {
    for await (const _ of setInterval(SAMPLE_MS, undefined, { signal: stop.signal })) {
      peak.server = Math.max(peak.server, heldBy(pid).resident);
      peak.helpers = Math.max(
        peak.helpers,
        helpersOf(pid).reduce((sum, helper) => sum + heldBy(helper).own, 0),
      );
    }
  };
  const watching = watch().catch(() => {});
  const result = await work();
  stop.abort();
  await watching;
  return { ...peak, result };
}

/** Processes that read pictures for that one. */
function helpersOf(pid: number): number[] {
  return readOf(pid, `task/${pid}/children`)
    .split(" ")
    .filter((child) => child !== "" && readOf(child, "cmdline").includes("picture"))
    .map(Number);
}

/** MB: all, and what is neither shared nor a file's. */
export function heldBy(pid: number): { resident: number; own: number } {
  const status = readOf(pid, "status");
  const megabytes = (name: string) => (Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) * 1_024) / 1e6;
  return { resident: megabytes("VmRSS"), own: megabytes("RssAnon") };
}

/** Nothing of a process that has ended. */
function readOf(pid: number | string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return "";
  }
}
