import { type ChildProcess, fork } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import pLimit from "p-limit";

/** Of the C library: what is freed goes back to the system, one piece of work after the other. */
const MEMORY = { MALLOC_ARENA_MAX: "2", MALLOC_MMAP_THRESHOLD_: "131072", MALLOC_TRIM_THRESHOLD_: "131072" };

interface HelperProcess {
  /** `import.meta.url` of the module beside which the program's source lies. */
  beside: string;
  /** The program, without its ending. */
  program: string;
  /** How long the process waits for more work. */
  idleMs: number;
  /** Of one piece of work, waiting for a core included: then the process is ended. */
  timeoutMs: number;
}

/**
 * Work in a process of its own, one piece after the other: what it takes of memory is given back with it, a crash takes nothing else
 * along, and it gets none of the server's settings. The process ends when there is no more work. Answers with null when the process
 * ends, or is ended because it takes too long.
 */
export function createHelperProcess<Request extends object, Answer>({
  beside,
  program,
  idleMs,
  timeoutMs,
}: HelperProcess): (request: Request) => Promise<Answer | null> {
  const oneAtATime = pLimit(1);
  let running: ChildProcess | null = null;
  let idle: NodeJS.Timeout | undefined;
  function start(): ChildProcess {
    const child = startProcess({ beside, program });
    running = child;
    child.once("exit", () => {
      if (running === child) running = null;
    });
    return child;
  }
  return (request) =>
    oneAtATime(async () => {
      clearTimeout(idle);
      const child = running ?? start();
      try {
        return await ask<Answer>(child, { request, timeoutMs });
      } finally {
        idle = setTimeout(() => child.kill("SIGKILL"), idleMs).unref();
      }
    });
}

/** From the build, or from the sources. */
function startProcess({ beside, program }: Pick<HelperProcess, "beside" | "program">): ChildProcess {
  const isSource = beside.endsWith(".ts");
  const here = dirname(fileURLToPath(beside));
  // Where the bundler puts this file is its own business: beside the programs, or a folder below.
  const built = [join(here, `${program}.mjs`), join(here, "..", `${program}.mjs`)].find(existsSync);
  return fork(isSource || !built ? join(here, `${program}.ts`) : built, {
    execArgv: isSource ? ["--import", "tsx"] : [],
    env: MEMORY,
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    serialization: "advanced",
  });
}

function ask<Answer>(
  child: ChildProcess,
  { request, timeoutMs }: { request: object; timeoutMs: number },
): Promise<Answer | null> {
  child.ref();
  child.channel?.ref();
  return new Promise((resolve) => {
    const late = setTimeout(() => child.kill("SIGKILL"), timeoutMs);
    const settle = (answer: Answer | null) => {
      clearTimeout(late);
      child.off("message", onMessage).off("exit", onEnd).off("error", onEnd);
      // Waiting for more work it keeps no process alive.
      child.unref();
      child.channel?.unref();
      resolve(answer);
    };
    const onMessage = (message: Answer) => settle(message);
    const onEnd = () => settle(null);
    child.once("message", onMessage).once("exit", onEnd).once("error", onEnd);
    child.send(request, (error) => error && onEnd());
  });
}
