import { parse } from "bowser";

/** A browser as its owner would describe it. */
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

/** Parses a user agent. "Unknown browser" for none and for programs that are not browsers. */
export function deviceOf(userAgent: string | null): Device {
  if (!userAgent) return UNKNOWN;
  const { browser, os, platform } = parse(userAgent);
  const name = browser.name?.replace(/ for Android$/, "");
  if (!name) return UNKNOWN;
  return { label: os.name ? `${name} on ${os.name}` : name, kind: KINDS.get(platform.type) ?? "unknown" };
}
