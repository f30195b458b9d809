/** Chance that a seed repeats: the same seed asks for the same things in the same order. */
export interface Random {
  /** From 0 up to, and without, 1. */
  next(): number;
  /** From `low` up to, and without, `high`. */
  between(low: number, high: number): number;
  chance(probability: number): boolean;
  /** Throws on an empty list. */
  pick<Item>(items: readonly Item[]): Item;
  shuffled<Item>(items: readonly Item[]): Item[];
  /** Chance of its own for one who acts beside others, so that their turns do not change it. */
  fork(name: string): Random;
}

/** Mulberry32: 32 bits of state, plenty for deciding who does what. */
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
