import { MESSAGES } from "../contract/messages";
import { DomainError } from "./errors";

/** The origins under which a browser may reach this server: `publicUrl`, and on loopback both of its names. */
export function ownOrigins({ publicUrl, port }: { publicUrl: string; port: number }): Set<string> {
  const origins = new Set([new URL(publicUrl).origin]);
  if (isLoopback(new URL(publicUrl).hostname)) {
    for (const name of ["localhost", "127.0.0.1"]) origins.add(`http://${name}:${port}`);
  }
  return origins;
}

/**
 * Whether a browser sent this from another site: a foreign `Origin`, or a `Sec-Fetch-Site` other than same-origin or none.
 * Scripts send neither and pass: they carry no cookies of a victim.
 */
export function isForeign(headers: Headers, own: ReadonlySet<string>): boolean {
  const origin = headers.get("origin");
  return (origin !== null && !own.has(origin)) || isLedHere(headers);
}

/** Throws FORBIDDEN for what a browser sent from another site. */
export function refuseForeign(headers: Headers, own: ReadonlySet<string>): void {
  if (isForeign(headers, own))
    throw new DomainError("FORBIDDEN", MESSAGES.general.foreignOrigin, { reason: "other-site" });
}

/** Whether a page of another site made a browser send this, a followed link included. */
export function isLedHere(headers: Headers): boolean {
  const site = headers.get("sec-fetch-site");
  return site !== null && site !== "same-origin" && site !== "none";
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]";
}
