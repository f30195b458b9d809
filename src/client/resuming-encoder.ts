import { type Encoder, jsonEncoder } from "@trpc/client";
import { isRecord } from "./is-record";

/**
 * The messages of one socket. An event without an id counts as one of the id before it, as with server-sent events: tRPC would
 * forget that id, and when the socket is made again ask for the stream from where it was begun.
 */
export function createResumingEncoder(): Encoder {
  /** The last id of each call. */
  const ids = new Map<unknown, unknown>();
  return {
    encode: jsonEncoder.encode,
    decode(text) {
      const message = jsonEncoder.decode(text);
      const { id: call, result } = isRecord(message) ? message : {};
      if (!isRecord(result) || result.type === "stopped") ids.delete(call);
      else if (result.id !== undefined) ids.set(call, result.id);
      else if (result.type === "data" && ids.has(call)) result.id = ids.get(call);
      return message;
    },
  };
}
