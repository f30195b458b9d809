import { type LookupAddress, lookup } from "node:dns";
import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { promisify } from "node:util";
import ipaddr from "ipaddr.js";
import { REDIRECTS } from "./bounded-fetch";

/** Why an address that somebody entered was not asked, or gave no answer. Its message never repeats what was asked. */
export class OutgoingError extends Error {
  override readonly name = "OutgoingError";
  /** `refused`: not a public address of the web. `ended`: too slow, or the caller's signal. */
  readonly reason: "refused" | "unknown-host" | "unreachable" | "ended" | "redirects";

  constructor(reason: OutgoingError["reason"]) {
    super(reason);
    this.reason = reason;
  }
}

/** What is asked, and within which bounds. */
export interface OutgoingRequest {
  /** HEAD and GET follow redirects, POST never does. */
  method: "HEAD" | "GET" | "POST";
  headers?: Record<string, string>;
  body?: string;
  /** Of everything together: names, connections, redirects and the answer. */
  timeoutMs: number;
  /** Of the answer's body that is read; the rest is not waited for. */
  maxBytes: number;
  /** At most so many; 0 answers with the redirect itself. */
  maxRedirects?: number;
  /** Refuses http, but for a loopback address where these are allowed. */
  requireHttps?: boolean;
  /** Ends it early, such as when the process stops. */
  signal?: AbortSignal;
}

interface OutgoingAnswer {
  status: number;
  body: Buffer;
}

/** Requests to addresses that people enter: webhooks and live links. They reach public addresses of the internet alone. */
export interface Outgoing {
  /** Throws an OutgoingError for everything that is no answer. Any HTTP status is one. */
  send(address: string, request: OutgoingRequest): Promise<OutgoingAnswer>;
  /** Whether `send` would ask this address now. Throws an OutgoingError that says why not. */
  check(address: string, options?: Pick<OutgoingRequest, "requireHttps">): Promise<void>;
}

interface OutgoingOptions {
  /** Lets 127.0.0.0/8 and ::1 be asked, over http too and on any port: for tests. */
  allowLoopback: boolean;
  /** How names become addresses: the system's way when left out. */
  resolve?: (host: string) => Promise<LookupAddress[]>;
}

/** A target whose name has been resolved, and whose addresses are all allowed. */
interface Target {
  url: URL;
  addresses: LookupAddress[];
}

const lookupAll = promisify(lookup);
const resolveBySystem = (host: string) => lookupAll(host, { all: true });
const USER_AGENT = "sangam";
/** Of a server's own: everything below 1024 that is no web server, such as mail, is left alone. */
const FIRST_FREE_PORT = 1024;
/** Public by their number, yet answered by the cloud's own machinery: Azure's WireServer. */
const INTERNAL: ReadonlySet<string> = new Set(["168.63.129.16"]);
const GLOBAL_V6 = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * A name is resolved once for each step of the way, each address that it has must be allowed, and the connection goes to these
 * addresses: a name that changes its mind between check and connection changes nothing.
 */
export function createOutgoing({ allowLoopback, resolve = resolveBySystem }: OutgoingOptions): Outgoing {
  const resolveTarget = async (url: URL, { requireHttps = false }): Promise<Target> => {
    if (!isWebAddress(url)) throw new OutgoingError("refused");
    const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
    const family = isIP(host);
    const addresses = family === 0 ? await resolveName(host, resolve) : [{ address: host, family }];
    const kinds = addresses.map(({ address }) => kindOf(address));
    const isLocal = allowLoopback && kinds.every((kind) => kind === "loopback");
    const isPublic = kinds.every((kind) => kind === "public") && isWebPort(url);
    if (!isLocal && (!isPublic || (requireHttps && url.protocol !== "https:"))) throw new OutgoingError("refused");
    return { url, addresses };
  };
  return {
    async check(address, options = {}) {
      await resolveTarget(parse(address), options);
    },
    send: (address, request) =>
      within(request, async (signal) => {
        let url = parse(address);
        for (let redirects = 0; ; redirects += 1) {
          const target = await resolveTarget(url, request);
          // A name may have taken all the time there was.
          signal.throwIfAborted();
          const { status, location, body } = await ask(target, { request, signal, isFirst: redirects === 0 });
          const next = request.method !== "POST" && REDIRECTS.has(status) ? location : undefined;
          if (next === undefined || !request.maxRedirects) return { status, body };
          if (redirects === request.maxRedirects) throw new OutgoingError("redirects");
          url = parse(next, url);
        }
      }),
  };
}

/** What an IP address leads to. Everything that is not plainly public is `internal`. */
function kindOf(address: string): "public" | "loopback" | "internal" {
  if (!ipaddr.isValid(address)) return "internal";
  // An IPv4 address in the clothes of IPv6 (::ffff:127.0.0.1) is what it is.
  const parsed = ipaddr.process(address);
  const range = parsed.range();
  if (range === "loopback") return "loopback";
  if (range !== "unicast" || INTERNAL.has(parsed.toString())) return "internal";
  // What is left beside 2000::/3, such as ::7f00:1, belongs to nobody.
  return parsed instanceof ipaddr.IPv6 && !parsed.match(GLOBAL_V6) ? "internal" : "public";
}

function isWebAddress({ protocol, username, password }: URL): boolean {
  return /^https?:$/.test(protocol) && username === "" && password === "";
}

function isWebPort({ port }: URL): boolean {
  return port === "" || port === "80" || port === "443" || Number(port) >= FIRST_FREE_PORT;
}

function parse(address: string, base?: URL): URL {
  if (!URL.canParse(address, base)) throw new OutgoingError("refused");
  return new URL(address, base);
}

async function resolveName(host: string, resolve: (host: string) => Promise<LookupAddress[]>) {
  const addresses = await resolve(host).catch(() => []);
  if (addresses.length === 0) throw new OutgoingError("unknown-host");
  return addresses;
}

/** Runs until the work is done, the time is up or the caller's signal aborts; then everything under way is ended. */
async function within<T>(
  { timeoutMs, signal }: Pick<OutgoingRequest, "timeoutMs" | "signal">,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  const end = () => ending.abort();
  const timer = setTimeout(end, timeoutMs);
  signal?.addEventListener("abort", end);
  if (signal?.aborted) end();
  // The system's resolution of names cannot be ended, only left alone.
  const ended = new Promise<never>((_, reject) => {
    if (ending.signal.aborted) reject(new OutgoingError("ended"));
    ending.signal.addEventListener("abort", () => reject(new OutgoingError("ended")));
  });
  try {
    return await Promise.race([ended, work(ending.signal)]);
  } catch (error) {
    if (error instanceof OutgoingError) throw error;
    throw new OutgoingError(ending.signal.aborted ? "ended" : "unreachable");
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
  }
}

interface Step {
  request: OutgoingRequest;
  signal: AbortSignal;
  /** Headers and body are for the first address alone. */
  isFirst: boolean;
}

/** One request over a connection of its own, to the addresses that were checked and no others. */
function ask(
  { url, addresses }: Target,
  { request, signal, isFirst }: Step,
): Promise<OutgoingAnswer & { location: string | undefined }> {
  const { method, headers, body, maxBytes } = request;
  const pinned: LookupFunction = (_host, options, callback) => {
    if (options.all) return callback(null, addresses);
    const [first] = addresses;
    callback(null, first?.address ?? "", first?.family);
  };
  return new Promise((resolve, reject) => {
    const send = url.protocol === "https:" ? requestHttps : requestHttp;
    const sent = send(url, {
      method,
      headers: { "user-agent": USER_AGENT, accept: "*/*", ...(isFirst ? headers : {}) },
      agent: false,
      lookup: pinned,
      signal,
    });
    sent.on("error", reject);
    sent.once("response", (response) => {
      const { statusCode: status = 0, headers: answered } = response;
      readBody(response, maxBytes).then((read) => {
        sent.destroy();
        resolve({ status, location: answered.location, body: read });
      }, reject);
    });
    sent.end(isFirst ? body : undefined);
  });
}

/** The first bytes of a body, as they were sent: nothing was asked for that would have to be unpacked. */
async function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  if (maxBytes > 0) {
    for await (const part of response) {
      parts.push(part);
      length += part.length;
      if (length >= maxBytes) break;
    }
  }
  return Buffer.concat(parts).subarray(0, maxBytes);
}
