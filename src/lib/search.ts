/** What an address holds after the question mark: plain strings. Validate them in the route's `validateSearch`. */
export type RawSearch = Record<string, unknown>;

/** `?a=1&b=x,y` as `{ a: "1", b: "x,y" }`; of a repeated name the last one. Never throws. */
export function parseSearch(search: string): RawSearch {
  return Object.fromEntries(new URLSearchParams(search));
}

/** The other way; undefined, null and "" are left out. Commas and slashes stay readable. */
export function stringifySearch(search: RawSearch): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined && value !== null && value !== "") params.set(name, String(value));
  }
  const text = params.toString().replaceAll("%2C", ",").replaceAll("%2F", "/");
  return text === "" ? "" : `?${text}`;
}

/** The value when it is one of the choices; undefined for anything else and for the default, which an address leaves out. */
export function choice<Value extends string>(
  value: unknown,
  choices: readonly Value[],
  standard?: NoInfer<Value>,
): Value | undefined {
  const found = choices.find((candidate) => candidate === value);
  return found === standard ? undefined : found;
}

/** The value when it is text that is not blank and not absurdly long. */
export function text(value: unknown, maxLength = 2_048): string | undefined {
  return typeof value === "string" && value.trim() !== "" && value.length <= maxLength ? value : undefined;
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** The value when it is an id, in lower case. */
export function id(value: unknown): string | undefined {
  return typeof value === "string" && UUID.test(value) ? value.toLowerCase() : undefined;
}

/**
 * A validated search, every key of which may be left out by those who link to it. Keys without a value stay, as undefined:
 * the router lays this over the raw address, and a missing key would let the junk that stands there through.
 */
export function optional<Search extends object>(search: Search): { [Key in keyof Search]?: Search[Key] | undefined } {
  return search;
}
