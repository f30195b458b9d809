import { parse } from "bowser";

/** A browser in the words that its person would use. */
export interface Device {
  /** "Chrome on Linux". */
  label: string;
  kind: "computer" | "phone" | "tablet" | "unknown";
}

const UNKNOWN: Device = { label: "Unknown browser", kind: "unknown" };
const KINDS = new Map<string | undefined, Device["kind"]>([
  ["desktop", "computer"],
  ["mobile", "phone"],
  ["tablet", "tablet"],
]);

/** What a user agent says of itself; "Unknown browser" for none and for programs that are no browser. */
export function deviceOf(userAgent: string | null): Device {
  if (!userAgent) return UNKNOWN;
  const { browser, os, platform } = parse(userAgent);
  const name = browser.name?.replace(/ for Android$/, "");
  if (!name) return UNKNOWN;
  return { label: os.name ? `${name} on ${os.name}` : name, kind: KINDS.get(platform.type) ?? "unknown" };
}
