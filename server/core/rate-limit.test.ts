import { describe, expect, test } from "vitest";
import { retrySentence } from "../contract/messages/retry";
import { publicError, retryAfter, toTrpcError } from "./errors";
import { RateLimitedError } from "./rate-limit";

describe("a refusal that passes by itself", () => {
  test.each([
    [0, "a second"],
    [1, "a second"],
    [1.2, "2 seconds"],
    [30, "30 seconds"],
    [59.5, "60 seconds"],
    [60, "a minute"],
    [61, "2 minutes"],
    [720, "12 minutes"],
    [3239, "54 minutes"],
    [3300, "about an hour"],
    [3600, "about an hour"],
    [3601, "about 2 hours"],
    [86_400, "about 24 hours"],
  ])("says for %d seconds: %s", (seconds, wait) => {
    expect(retrySentence(seconds)).toBe(`Try again in ${wait}.`);
  });

  test("carries the time in words, in its details and in Retry-After, with a reason for programs", () => {
    const error = toTrpcError(new RateLimitedError(720));
    expect(publicError(error)).toEqual({
      message: "Too many requests. Try again in 12 minutes.",
      details: { kind: "domain", reason: "limited", retryAfterSeconds: 720 },
    });
    expect(retryAfter([{ cause: new RateLimitedError(30) }, error])).toEqual({ "retry-after": "720" });
  });
});
