import { type ChildProcess, fork } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import pLimit from "p-limit";
import type { Logger } from "../core/logger";
import type { PictureAnswer } from "./picture-process";
import type { PreparedPicture } from "./picture-work";

/** How long the process waits for another picture. */
const IDLE_MS = 5_000;
/** Of one picture, waiting for a core included: then the process is ended. */
const TIMEOUT_MS = 60_000;
/** Of the C library: what is freed goes back to the system, one picture after the other. */
const MEMORY = { MALLOC_ARENA_MAX: "2", MALLOC_MMAP_THRESHOLD_: "131072", MALLOC_TRIM_THRESHOLD_: "131072" };

export interface Images {
  /**
   * Takes from the picture at `path` where it was taken, and makes a thumbnail beside it. `shown` is null for what cannot be shown: a
   * damaged one, or one of a kind that only other programs read. Rejects where the picture could not be kept without its location.
   */
  prepare(path: string, type: string): Promise<PreparedPicture>;
}

/**
 * One after the other, in a process of its own that ends when there are no more: 25 MB may hold a picture that takes 500 MB to read,
 * and what libvips has freed stays with the process. Of lower priority, so that calls do not wait for it.
 */
export function createImages({ logger }: { logger: Logger }): Images {
  const oneAtATime = pLimit(1);
  let running: ChildProcess | null = null;
  let idle: NodeJS.Timeout | undefined;
  function start(): ChildProcess {
    const child = startProcess();
    running = child;
    child.once("exit", () => {
      if (running === child) running = null;
    });
    return child;
  }
  async function prepare(path: string, type: string, isShown: boolean): Promise<PictureAnswer | null> {
    clearTimeout(idle);
    const child = running ?? start();
    try {
      return await ask(child, { path, type, isShown });
    } finally {
      idle = setTimeout(() => child.kill("SIGKILL"), IDLE_MS).unref();
    }
  }
  return {
    prepare: (path, type) =>
      oneAtATime(async () => {
        // A picture that ends the process is kept like one that cannot be shown.
        const answer = (await prepare(path, type, true)) ?? (await prepare(path, type, false));
        if (answer?.problem)
          logger.error("pictures", { problem: answer.problem, remedy: "install the package sharp for this platform" });
        if (answer && "picture" in answer) return answer.picture;
        throw new Error(`a picture was not prepared: ${answer?.fault ?? "its process ended"}`);
      }),
  };
}

/** From the build, or from the sources. It gets none of the server's settings. */
function startProcess(): ChildProcess {
  const isSource = import.meta.url.endsWith(".ts");
  const here = dirname(fileURLToPath(import.meta.url));
  // Where the bundler puts this file is its own business: beside the programs, or a folder below.
  const program = [join(here, "picture-process.mjs"), join(here, "..", "picture-process.mjs")].find(existsSync);
  const child = fork(isSource || !program ? join(here, "picture-process.ts") : program, {
    execArgv: isSource ? ["--import", "tsx"] : [],
    env: MEMORY,
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  return child;
}

/** Null when the process ends, or is ended because it takes too long. */
function ask(
  child: ChildProcess,
  request: { path: string; type: string; isShown: boolean },
): Promise<PictureAnswer | null> {
  child.ref();
  child.channel?.ref();
  return new Promise((resolve) => {
    const late = setTimeout(() => child.kill("SIGKILL"), TIMEOUT_MS);
    const settle = (answer: PictureAnswer | null) => {
      clearTimeout(late);
      child.off("message", onMessage).off("exit", onEnd).off("error", onEnd);
      // Waiting for another picture it keeps no process alive.
      child.unref();
      child.channel?.unref();
      resolve(answer);
    };
    const onMessage = (message: PictureAnswer) => settle(message);
    const onEnd = () => settle(null);
    child.once("message", onMessage).once("exit", onEnd).once("error", onEnd);
    child.send(request, (error) => error && onEnd());
  });
}
