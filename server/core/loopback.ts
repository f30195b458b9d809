import { BlockList, isIP } from "node:net";

const addresses = new BlockList();
addresses.addSubnet("127.0.0.0", 8, "ipv4");
addresses.addAddress("::1", "ipv6");

/**
 * Whether a host, as HOST or the host of a URL names it, is this machine alone: 127.0.0.0/8, ::1, localhost and the names
 * below it. Addresses that stand for all of a machine's own, such as 0.0.0.0 and ::, are not.
 */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, "$1");
  const family = isIP(bare);
  if (family === 0) return /^([\w-]+\.)*localhost\.?$/i.test(bare);
  return addresses.check(bare, family === 4 ? "ipv4" : "ipv6");
}
