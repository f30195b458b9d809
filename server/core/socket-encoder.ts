const MAX_BATCH = 10;
/** A browser that is back asks for all of its streams in one message, and a connection may hold fifty. */
const MAX_STREAM_CALLS = 100;

/** The part of a connection that says something again as if the peer had. */
interface Peer {
  emit(event: "message", message: Buffer, isBinary: boolean): boolean;
}

/**
 * Text for one connection's messages, and back. As over HTTP, one message carries ten calls at most, streams aside; a larger one
 * is unreadable. tRPC forgets a stop that comes while its stream is still opening, and would go on sending, and count its person as
 * present, until the connection ends: such a stop is said again once the stream has started.
 */
export function createSocketEncoder(peer: Peer) {
  /** Streams that are opening, by their id, and whether they were stopped meanwhile. */
  const opening = new Map<unknown, { isStopped: boolean }>();
  /** Ids of queries and mutations without an answer. */
  const calls = new Set<unknown>();
  let newest: unknown[] = [];

  const note = (call: unknown) => {
    if (!isMessage(call)) return;
    if (call.method === "subscription") opening.set(call.id, { isStopped: false });
    else if (call.method === "subscription.stop" && opening.has(call.id)) opening.set(call.id, { isStopped: true });
    else if (call.method === "query" || call.method === "mutation") calls.add(call.id);
  };
  /** A stream has started or was refused with the first answer under its id; without one the newest message was unreadable. */
  const settle = (answer: unknown) => {
    if (!isMessage(answer)) return;
    calls.delete(answer.id);
    for (const call of answer.id === null ? newest.filter(isMessage) : []) {
      opening.delete(call.id);
      calls.delete(call.id);
    }
    const stream = opening.get(answer.id);
    if (!stream) return;
    opening.delete(answer.id);
    const stop = JSON.stringify({ id: answer.id, method: "subscription.stop" });
    if (stream.isStopped) queueMicrotask(() => peer.emit("message", Buffer.from(stop), false));
  };

  return {
    encode(answer: unknown): string {
      if (opening.size > 0 || calls.size > 0) settle(answer);
      return encodeMessage(answer);
    },
    decode(text: string | ArrayBuffer | Uint8Array): unknown {
      if (typeof text !== "string") throw new Error("only text is spoken here");
      const message: unknown = JSON.parse(text);
      const sent: unknown[] = Array.isArray(message) ? message : [message];
      const streamCalls = sent.filter(isStreamCall).length;
      if (streamCalls > MAX_STREAM_CALLS || sent.length - streamCalls > MAX_BATCH)
        throw new Error("too many calls in one message");
      for (const call of sent) note(call);
      newest = sent;
      return message;
    },
    /** Whether a query or a mutation has no answer yet. */
    isAnswering: () => calls.size > 0,
  };
}

function isStreamCall(call: unknown): boolean {
  return isMessage(call) && (call.method === "subscription" || call.method === "subscription.stop");
}

function isMessage(value: unknown): value is { id: unknown; method?: unknown } {
  return typeof value === "object" && value !== null && "id" in value;
}

/** The text of frozen values: whatever many watchers are sent is written once. */
const sharedTexts = new WeakMap<object, string>();

/** A message as text. */
function encodeMessage(message: unknown): string {
  const value = frozenValueOf(message);
  if (!isObject(message) || !isObject(message.result) || !value) return JSON.stringify(message);
  const text = sharedTexts.get(value) ?? JSON.stringify(value);
  sharedTexts.set(value, text);
  const { result, ...head } = message;
  const { data: _, ...kind } = message.result;
  // Ends in the braces of `result` and of the message.
  const frame = JSON.stringify({ ...head, result: { ...kind, type: "data" } });
  return `${frame.slice(0, -2)},"data":{"json":${text}}}}`;
}

function frozenValueOf(message: unknown): object | null {
  if (!isObject(message) || !isObject(message.result) || message.result.type !== "data") return null;
  const { data } = message.result;
  return isObject(data) && !("meta" in data) && isObject(data.json) && Object.isFrozen(data.json) ? data.json : null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
