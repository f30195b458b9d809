/**
 * A value that is made when it is first asked for, and then kept. For what `Intl` provides: the first of a kind reads the
 * language's rules, which takes 2 ms for dates and 20 ms for letters, five times that on a phone, and most pages never need it.
 */
export function lazily<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
