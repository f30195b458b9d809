import type { MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { MESSAGES } from "../contract/messages";

/** Bytes of a whole request. */
const MAX_BYTES = 256 * 1024;

/** Requests that may be larger than others. They are held in memory, so only a few at a time are. */
interface Exception {
  mayBeLarge: (request: { path: string; headers: Headers }) => boolean;
  maxBytes: number;
  atOnce: number;
}

/** Refuses what is too large, also when it comes in parts: 413. */
export function bodyLimits({ mayBeLarge, maxBytes, atOnce }: Exception): MiddlewareHandler {
  const ordinary = limitOf(MAX_BYTES);
  const large = limitOf(maxBytes);
  let underWay = 0;
  return async (c, next) => {
    const isLarge = underWay < atOnce && mayBeLarge({ path: c.req.path, headers: c.req.raw.headers });
    if (!isLarge) return ordinary(c, next);
    underWay += 1;
    try {
      return await large(c, next);
    } finally {
      underWay -= 1;
    }
  };
}

function limitOf(maxSize: number): MiddlewareHandler {
  return bodyLimit({
    maxSize,
    // The rest of the body is not read, so the connection cannot be used again.
    onError: (c) => c.json({ message: MESSAGES.general.tooLarge }, 413, { connection: "close" }),
  });
}
