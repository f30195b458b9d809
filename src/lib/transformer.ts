import superjson from "superjson";

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
