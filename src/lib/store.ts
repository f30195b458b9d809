/** Listeners to a value outside React. Read it with `useSyncExternalStore(store.subscribe, …)`. */
export interface Store {
  /** Returns the function that unsubscribes. */
  subscribe: (listener: () => void) => () => void;
  /** Calls every listener. */
  emit: () => void;
}

/** `connect` runs with the first listener, and what it returns after the last one has gone. */
export function createStore(connect?: (emit: () => void) => () => void): Store {
  const listeners = new Set<() => void>();
  let disconnect: (() => void) | undefined;
  function emit(): void {
    for (const listener of [...listeners]) listener();
  }
  function subscribe(listener: () => void): () => void {
    if (listeners.size === 0) disconnect = connect?.(emit);
    listeners.add(listener);
    return () => {
      if (listeners.delete(listener) && listeners.size === 0) disconnect?.();
    };
  }
  return { subscribe, emit };
}
