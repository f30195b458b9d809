import { expect, test } from "vitest";
import { deviceOf } from "./device";

const LINUX = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)";

test.each([
  [`${LINUX} Chrome/142.0.0.0 Safari/537.36`, "Chrome on Linux", "computer"],
  [`${LINUX} HeadlessChrome/142.0.0.0 Safari/537.36`, "Chrome on Linux", "computer"],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0",
    "Firefox on Windows",
    "computer",
  ],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15",
    "Safari on macOS",
    "computer",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1",
    "Safari on iOS",
    "phone",
  ],
  [
    "Mozilla/5.0 (Linux; Android 14; SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36",
    "Samsung Internet on Android",
    "phone",
  ],
])("%s has a readable label", (userAgent, label, kind) => {
  expect(deviceOf(userAgent)).toEqual({ label, kind });
});

test.each([[null], [""], ["curl/8.5.0"], ["x".repeat(5_000)], ["<script>alert(1)</script>"]])(
  "what is no browser is an unknown one: %s",
  (userAgent) => {
    expect(deviceOf(userAgent)).toEqual({ label: "Unknown browser", kind: "unknown" });
  },
);
