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

/** Without the keys that have no value: an address and its search object carry only what somebody chose. */
export function defined<Search extends object>(search: Search): Partial<Search> {
  const kept: Partial<Search> = {};
  for (const key in search) if (search[key] !== undefined) kept[key] = search[key];
  return kept;
}
