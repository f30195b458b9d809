import superjson from "superjson";

/**
 * What one request may hold: the server takes ten calls, and 16 KB of address and headers, of which proxies and other cookies
 * may want their part. The longest query, a search, has 2.5 KB.
 */
export const BATCH = { maxItems: 10, maxURLLength: 4_000 };

/**
 * How calls are written and answers read. superjson also notes which values of an input are one object, such as one list given
 * for two fields; the server refuses such notes, and both places hold the list anyway.
 */
export const transformer = {
  input: {
    serialize(value: unknown) {
      const envelope = superjson.serialize(value);
      delete envelope.meta?.referentialEqualities;
      return envelope;
    },
    deserialize: superjson.deserialize,
  },
  output: superjson,
};
