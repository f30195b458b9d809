import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { retrySentence } from "../contract/messages/retry";
import { CONNECTION_LIMITS } from "./connection-limits";
import { publicError, retryAfter, toTrpcError } from "./errors";
import { RateLimitedError, RULES } from "./rate-limit";

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

describe("docs/deploy.md lists what each process counts by itself", () => {
  const docs = readFileSync("docs/deploy.md", "utf8");
  const [, table = ""] = docs.split("| In each process | At most |\n| --- | --- |\n");
  const listed = new Map(
    [...table.slice(0, table.indexOf("\n\n")).matchAll(/^\| (.+) \| (.+) \|$/gm)].map(([, what = "", most = ""]) => [
      what,
      most,
    ]),
  );
  const number = (count: number) => count.toLocaleString("en-GB");

  test("the rules that are counted in memory", () => {
    const labels: Record<string, string> = {
      read: "calls that read",
      typing: "typing signs",
      calendar: "calendars fetched",
      vitals: "page speed reports",
    };
    const own = Object.entries(RULES).filter(([, rule]) => "memory" in rule);
    for (const [name, { points, seconds }] of own)
      expect(listed.get(labels[name] ?? name)).toContain(
        `${number(points)} ${seconds === 60 ? "a minute" : "an hour"} for`,
      );
  });

  test("what may be open or under way at a time", () => {
    const labels: Record<string, string> = {
      "exports/download.ts": "exports at a time",
      "files/upload.ts": "uploads at a time",
      "operations/export/download.ts": "exit packs at a time",
      "sign-offs/download.ts": "PDFs of sign-offs at a time",
    };
    const own = readdirSync("server", { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && !file.startsWith("core"))
      .map((file) => ({ file, text: readFileSync(join("server", file), "utf8") }))
      .filter(({ text }) => text.includes("createConcurrencyLimit("));
    for (const { file, text } of own) {
      const [, most] = /const MAX_CONCURRENT = (\d+);/.exec(text) ?? [];
      expect(listed.get(labels[file] ?? file)).toMatch(new RegExp(`^${most}( for each person)?$`));
    }
    const { sockets, eventStreams, withoutSession } = CONNECTION_LIMITS;
    for (const [what, { perPerson, perAddress }] of [
      ["WebSockets", sockets],
      ["event streams", eventStreams],
    ] as const)
      expect(listed.get(what)).toBe(`${number(perPerson)} for each person, ${number(perAddress)} for each address`);
    expect(listed.get("connections without a session")).toBe(`${withoutSession} for each address`);
  });
});
