import type * as Inferred from "./api";
import type * as Shipped from "./api.gen";
import type { InputsOf, Mutation, OutputsOf, Query, Subscription, Tracked } from "./procedures";

/*
 * The declarations that the package ships say exactly what the router infers: `tsc` checks this file, and names the router
 * and the procedure that differ. Mended by `npm run reference`.
 */

/** A type in which a property that may be missing differs from one that may not, all the way down. */
type Exact<T> =
  T extends Query<infer Input, infer Output>
    ? ["query", Exact<Input>, Exact<Output>]
    : T extends Mutation<infer Input, infer Output>
      ? ["mutation", Exact<Input>, Exact<Output>]
      : T extends Subscription<infer Input, infer Event>
        ? ["subscription", Exact<Input>, Exact<Event>]
        : T extends string | number | boolean | null | undefined | Date
          ? T
          : {
              [Key in keyof T]-?: [Record<never, never> extends Pick<T, Key> ? "optional" : "required", Exact<T[Key]>];
            };

type Both<A, B> = [A] extends [B]
  ? [B] extends [A]
    ? true
    : "the package promises more"
  : "the package promises less";

/** True for each procedure that both sides have and mean the same by. */
type Comparison = {
  [Router in keyof (Inferred.Api & Shipped.Api)]: {
    [Name in keyof (Inferred.Api & Shipped.Api)[Router]]: Both<
      Exact<Member<Inferred.Api, Router, Name>>,
      Exact<Member<Shipped.Api, Router, Name>>
    >;
  };
};
type Member<Api, Router, Name> = Router extends keyof Api
  ? Name extends keyof Api[Router]
    ? Api[Router][Name]
    : "missing"
  : "missing";

declare const comparison: Comparison;
comparison satisfies Record<string, Record<string, true>>;

/** What a project may name: the input and the answer of a procedure. */
declare const named: {
  input: Both<InputsOf<Shipped.Api>["projects"]["byId"], { projectId: string }>;
  none: Both<InputsOf<Shipped.Api>["tasks"]["mine"], void>;
  change: Both<OutputsOf<Shipped.Api>["tasks"]["create"], Shipped.Task>;
  answer: Both<OutputsOf<Shipped.Api>["tasks"]["mine"], Shipped.MyTasks>;
  event: Both<OutputsOf<Shipped.Api>["chat"]["onMessage"], Tracked<Shipped.ConversationEvent>>;
};
named satisfies Record<string, true>;
