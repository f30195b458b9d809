/** Limits how many slots each key, such as a person or an address, holds at a time. */
export interface ConcurrencyLimit {
  /** Takes a slot, or throws the limit's error when the key has none left. Call what it returns to release it. */
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
