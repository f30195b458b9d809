/** A seeded random generator: the same seed repeats the same round. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** In [`low`, `high`). */
  between(low: number, high: number): number;
  chance(probability: number): boolean;
  /** Throws on an empty list. */
  pick<Item>(items: readonly Item[]): Item;
  shuffled<Item>(items: readonly Item[]): Item[];
  /** An independent generator, for somebody whose turns must not depend on those of others. */
  fork(name: string): Random;
}

/** Mulberry32: 32 bits of state are plenty here. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const random: Random = {
    next,
    between: (low, high) => low + next() * (high - low),
    chance: (probability) => next() < probability,
    pick(items) {
      const [item] = items.slice(Math.floor(next() * items.length));
      if (item === undefined) throw new Error("there is nothing to pick from");
      return item;
    },
    shuffled: (items) =>
      items
        .map((item) => ({ item, position: next() }))
        .sort((one, other) => one.position - other.position)
        .map(({ item }) => item),
    fork: (name) =>
      createRandom([...name].reduce((mix, letter) => Math.imul(mix ^ letter.charCodeAt(0), 16777619), seed)),
  };
  return random;
}

/** Does one of them; one of twice the weight is done twice as often. */
export function doOneOf(acts: readonly (readonly [weight: number, act: () => void])[], random: Random): void {
  let left = random.between(
    0,
    acts.reduce((sum, [weight]) => sum + weight, 0),
  );
  for (const [weight, act] of acts) {
    left -= weight;
    if (left >= 0) continue;
    act();
    return;
  }
}
