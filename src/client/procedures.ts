/** How one call is made. */
export interface CallOptions {
  /** Gives the call up; it then fails with the code "ABORTED". A mutation may have happened all the same. */
  signal?: AbortSignal;
}

/** An input that may be left out comes first all the same: `query(undefined, { signal })`. */
type CallArguments<Input> = undefined extends Input
  ? [input?: Input, options?: CallOptions]
  : [input: Input, options?: CallOptions];

/** Reads, and changes nothing. Rejects with a ClientError. */
export interface Query<Input, Output> {
  query(...call: CallArguments<Input>): Promise<Output>;
}

/** Changes something; a key of scope "read" is refused. Rejects with a ClientError. */
export interface Mutation<Input, Output> {
  mutate(...call: CallArguments<Input>): Promise<Output>;
}

/** Emits events until it is stopped, through restarts of the server and losses of the network. */
export interface Subscription<Input, Event> {
  subscribe(input: Input, handlers: SubscriptionHandlers<Event>): { unsubscribe(): void };
}

/** What a stream calls back. */
export interface SubscriptionHandlers<Event> {
  onData(event: Event): void;
  /**
   * Events arrive from now on: at the beginning and after each interruption. Tracked events go on where they stopped; of all
   * other streams read again what they are about.
   */
  onStarted?(): void;
  /** The connection is lost and is being made again. */
  onInterrupted?(): void;
  /** The server refuses the stream: it is over. */
  onError?(error: unknown): void;
}

/** An event with its place in the stream: pass `id` as `lastEventId` to go on after it. The client does so by itself. */
export interface Tracked<Event> {
  id: string;
  data: Event;
}

/** What each procedure of an API is called with. */
export type InputsOf<Api> = {
  [Router in keyof Api]: {
    [Name in keyof Api[Router]]: Api[Router][Name] extends
      | Query<infer Input, unknown>
      | Mutation<infer Input, unknown>
      | Subscription<infer Input, never>
      ? Input
      : never;
  };
};

/** What each procedure of an API answers, or emits as an event. */
export type OutputsOf<Api> = {
  [Router in keyof Api]: {
    [Name in keyof Api[Router]]: Api[Router][Name] extends Query<never, infer Output> | Mutation<never, infer Output>
      ? Output
      : Api[Router][Name] extends Subscription<never, infer Event>
        ? Event
        : never;
  };
};
