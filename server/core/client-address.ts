import { BlockList, isIP } from "node:net";
import type { Writable } from "node:stream";
import type { Env } from "./env";
import type { Logger } from "./logger";
import { isLoopback } from "./loopback";

/** Of addresses whose trust is kept in memory. */
const MAX_KNOWN = 1_000;

/** What the HTTP server knows of a request besides the request. */
export interface Bindings {
  incoming?: { socket: { remoteAddress?: string | undefined } };
  outgoing?: Writable;
  /** Once the request has one (request-ids.ts). */
  requestId?: string;
}

/**
 * Reads the caller's address: the socket's, or, when that is a trusted proxy, the last of X-Forwarded-For that is none.
 * A header from anyone else is ignored, so that nobody chooses the address that is counted; the first one is named in
 * the log, with what to do if it came from a proxy.
 */
export function createAddressReader(
  trustedProxies: readonly string[],
  { logger, isTrusted = createProxyTrust(trustedProxies) }: { logger: Logger; isTrusted?: ProxyTrust },
) {
  let isNoticed = false;
  return (headers: Headers, socketAddress: string | undefined): string => {
    const forwardedFor = headers.get("x-forwarded-for");
    let address = unmapped(socketAddress ?? "");
    if (forwardedFor === null && !headers.has("forwarded")) return network(address) || "unknown";
    if (!isNoticed && !isTrusted(address)) {
      isNoticed = true;
      logger.warn("forwarding header ignored", { peer: address, remedy: forwardingRemedy(address) });
    }
    const hops = (forwardedFor ?? "").split(",").map((hop) => unmapped(withoutPort(hop.trim())));
    while (isTrusted(address) && hops.length > 0) {
      const hop = hops.pop() ?? "";
      if (isIP(hop) === 0) break;
      address = hop;
    }
    return network(address) || "unknown";
  };
}

/** Whether an address is that of a trusted proxy. */
export type ProxyTrust = (address: string) => boolean;

/** Who is trusted is asked of a block list, which takes 10 µs: answers are kept, of a proxy that each request comes from. */
export function createProxyTrust(trustedProxies: readonly string[]): ProxyTrust {
  const trusted = new BlockList();
  for (const entry of trustedProxies) {
    const [address = "", prefix] = entry.split("/");
    const family = familyOf(address);
    if (prefix === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(prefix), family);
  }
  const known = new Map<string, boolean>();
  return (given) => {
    const address = unmapped(given);
    const answer = known.get(address) ?? (isIP(address) !== 0 && trusted.check(address, familyOf(address)));
    if (known.size < MAX_KNOWN) known.set(address, answer);
    return answer;
  };
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}

/** One household has a whole IPv6 /64 to choose from, so it is the network that counts. */
function network(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = "", tail = ""] = address.split("%")[0]?.split("::") ?? [];
  const groups = (text: string) => (text === "" ? [] : text.split(":"));
  const missing = 8 - groups(head).length - groups(tail).length;
  const all = address.includes("::") ? [...groups(head), ...Array(missing).fill("0"), ...groups(tail)] : groups(head);
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}

/** Some proxies write the port too: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  const [, bracketed, dotted] = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d{1,5})?$/.exec(hop) ?? [];
  return bracketed ?? dotted ?? hop;
}

/** An IPv4 address that came over an IPv6 socket as IPv4. */
function unmapped(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "");
}

/** What to do about a forwarding header that was ignored: its sender may be the proxy in front, or anybody. */
function forwardingRemedy(peer: string): string {
  return (
    `A request from ${peer} brought a forwarding header, which is ignored: TRUSTED_PROXIES does not name that address. If it is ` +
    `your proxy, set TRUSTED_PROXIES=${peer}; until then all who come through it share the limits of one address.`
  );
}

/**
 * What to say at the start when people reach the server through a proxy that no setting names; null when all is well. It speaks
 * no TLS itself and listens on one port, so that another scheme or port in PUBLIC_URL, or a name that is not this machine's
 * own when it listens to itself alone, is a proxy's.
 */
export function unnamedProxyNotice({
  host,
  port,
  publicUrl,
  trustedProxies,
}: Pick<Env, "host" | "port" | "publicUrl" | "trustedProxies">): string | null {
  const { protocol, port: publicPort, hostname } = new URL(publicUrl);
  const isElsewhere = protocol === "https:" || Number(publicPort || 80) !== port;
  const isBehindLoopback = isLoopback(host) && !isLoopback(hostname);
  if (trustedProxies.length > 0 || (!isElsewhere && !isBehindLoopback)) return null;
  return (
    `PUBLIC_URL is ${publicUrl}, so that a proxy stands in front, and TRUSTED_PROXIES names none: all people count as one ` +
    "address and share its limits. Set TRUSTED_PROXIES to the proxy's address, such as 127.0.0.1."
  );
}
