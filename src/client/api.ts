import type { AppRouter } from "@server/router";
import type { Mutation, Query, Subscription, Tracked } from "./procedures";

/*
 * The API as the router infers it: what the examples and tests here are checked against, so that a changed answer breaks
 * them at once. The package ships api.gen.ts in its place, which is made of these types and names no server code.
 */

export type * from "@server/contract/views";

type Routers = AppRouter["_def"]["record"];

/** Every procedure, by router and name. */
export type Api = {
  [Router in keyof Routers]: {
    [Name in keyof Routers[Router]]: Procedure<Routers[Router][Name]>;
  };
};

interface Definition {
  _def: { type: string; $types: { input: unknown; output: unknown } };
}

type Procedure<P> = P extends Definition
  ? P["_def"]["type"] extends "query"
    ? Query<P["_def"]["$types"]["input"], P["_def"]["$types"]["output"]>
    : P["_def"]["type"] extends "mutation"
      ? Mutation<P["_def"]["$types"]["input"], P["_def"]["$types"]["output"]>
      : Subscription<P["_def"]["$types"]["input"], Emitted<P["_def"]["$types"]["output"]>>
  : never;

/** The event of a stream; all else is answered as it is. */
type Emitted<Output> =
  Output extends AsyncIterable<infer Event>
    ? Event extends { id: string; data: infer Value }
      ? Tracked<Value>
      : Event
    : Output;
