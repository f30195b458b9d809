/** How many of something each key, such as a person or an address, may hold at a time. */
export interface ConcurrencyLimit {
  /** Throws the refusal when the key holds as many as it may. What it returns gives the place back, once. */
  acquire(key: string): () => void;
}

export function createConcurrencyLimit(maxPerKey: number, refusal: () => Error): ConcurrencyLimit {
  const taken = new Map<string, number>();
  return {
    acquire(key) {
      const count = taken.get(key) ?? 0;
      if (count >= maxPerKey) throw refusal();
      taken.set(key, count + 1);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        const left = (taken.get(key) ?? 1) - 1;
        if (left > 0) taken.set(key, left);
        else taken.delete(key);
      };
    },
  };
}
