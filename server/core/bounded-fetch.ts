/** Why there is nothing to read. Its message never repeats what was asked or answered. */
export class NoAnswerError extends Error {
  override readonly name = "NoAnswerError";
  readonly reason: "redirect" | "too-large" | "ended" | "unreachable";
  /** Of HTTP, if it got so far. */
  readonly status: number | null;

  constructor(reason: NoAnswerError["reason"], status: number | null = null) {
    super(reason);
    this.reason = reason;
    this.status = status;
  }
}

interface Bounds {
  /** Headers for each address on the way, decided anew after a redirect. */
  headersFor(address: URL): Record<string, string>;
  timeoutMs: number;
  /** Of the unpacked body. */
  maxBytes: number;
  /** Followed within the first address's origin only. */
  maxRedirects: number;
  /** Ends it early, such as when the process stops. */
  signal?: AbortSignal | undefined;
}

/** The statuses of HTTP that lead elsewhere. */
export const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** The body is unpacked and measured anew. */
const TRANSPORT_HEADERS = ["content-encoding", "content-length", "transfer-encoding"];

/**
 * A GET that ends in time, reads no more than it should and never leaves the origin it was sent to. The whole answer is
 * there when it resolves. Throws NoAnswerError for everything that is no answer.
 */
export async function boundedFetch(address: string, bounds: Bounds): Promise<Response> {
  const { origin } = new URL(address);
  const ending = new AbortController();
  const { signal } = ending;
  const end = () => ending.abort();
  const timer = setTimeout(end, bounds.timeoutMs);
  // By hand: what AbortSignal.any makes of a signal that lives as long as the process is not given back on Node 20.
  bounds.signal?.addEventListener("abort", end);
  if (bounds.signal?.aborted) end();
  try {
    let target = new URL(address);
    for (let redirects = 0; ; redirects += 1) {
      const answer = await fetch(target, { headers: bounds.headersFor(target), redirect: "manual", signal });
      const location = REDIRECTS.has(answer.status) ? answer.headers.get("location") : null;
      if (location === null) return await read(answer, bounds.maxBytes);
      await answer.body?.cancel();
      const next = URL.canParse(location, target) ? new URL(location, target) : null;
      if (next?.origin !== origin || redirects === bounds.maxRedirects) {
        throw new NoAnswerError("redirect", answer.status);
      }
      target = next;
    }
  } catch (error) {
    if (error instanceof NoAnswerError) throw error;
    throw new NoAnswerError(signal.aborted ? "ended" : "unreachable");
  } finally {
    clearTimeout(timer);
    bounds.signal?.removeEventListener("abort", end);
  }
}

async function read(answer: Response, maxBytes: number): Promise<Response> {
  const { status, statusText } = answer;
  const headers = new Headers(answer.headers);
  for (const name of TRANSPORT_HEADERS) headers.delete(name);
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of answer.body ?? []) {
    length += part.byteLength;
    // Leaving the loop cancels the body.
    if (length > maxBytes) throw new NoAnswerError("too-large", status);
    parts.push(part);
  }
  return new Response(length > 0 ? Buffer.concat(parts) : null, { status, statusText, headers });
}
