import pLimit from "p-limit";
import { createHelperProcess } from "../core/helper-process";
import type { Logger } from "../core/logger";
import type { PictureAnswer } from "./picture-process";
import type { PreparedPicture } from "./picture-work";

/** How long the process waits for another picture. */
const IDLE_MS = 5_000;
const TIMEOUT_MS = 60_000;

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
  // Both tries of a picture come one after the other.
  const oneAtATime = pLimit(1);
  const prepare = createHelperProcess<{ path: string; type: string; isShown: boolean }, PictureAnswer>({
    beside: import.meta.url,
    program: "picture-process",
    idleMs: IDLE_MS,
    timeoutMs: TIMEOUT_MS,
  });
  return {
    prepare: (path, type) =>
      oneAtATime(async () => {
        // A picture that ends the process is kept like one that cannot be shown.
        const answer =
          (await prepare({ path, type, isShown: true })) ?? (await prepare({ path, type, isShown: false }));
        if (answer?.problem)
          logger.error("pictures", { problem: answer.problem, remedy: "install the package sharp for this platform" });
        if (answer && "picture" in answer) return answer.picture;
        throw new Error(`a picture was not prepared: ${answer?.fault ?? "its process ended"}`);
      }),
  };
}
