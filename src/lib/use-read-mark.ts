import { useEffect, useEffectEvent, useState } from "react";

const RETRY_MS = 5_000;

type ReadMarkOptions<Input> = {
  mutation: { isPending: boolean; mutateAsync: (input: Input) => Promise<unknown> };
  /** Up to where; what has come by the time of the call counts. */
  input: Input;
  /** Something is seen and not marked yet. */
  isBehind: boolean;
};

/** Moves a read mark while it is behind. A failed call is repeated after 5 s. */
export function useReadMark<Input>({ mutation, input, isBehind }: ReadMarkOptions<Input>): void {
  /** By `performance.now()`. */
  const [retryAtMs, setRetryAtMs] = useState(0);
  const isDue = isBehind && !mutation.isPending;
  const mark = useEffectEvent(() => {
    mutation.mutateAsync(input).then(
      () => setRetryAtMs(0),
      () => setRetryAtMs(performance.now() + RETRY_MS),
    );
  });
  useEffect(() => {
    if (!isDue) return undefined;
    const timer = setTimeout(() => mark(), Math.max(0, retryAtMs - performance.now()));
    return () => clearTimeout(timer);
  }, [isDue, retryAtMs]);
}
