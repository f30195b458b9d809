import transliterate from "@sindresorhus/transliterate";

/**
 * The base of a username: the first word of the full name in lower-case a to z, transliterated (spec 3); a name without
 * Latin letters gives `user`.
 */
export function usernameBase(fullName: string): string {
  const [first = ""] = fullName.trim().split(/\s+/);
  const letters = transliterate(first)
    .toLowerCase()
    .replace(/[^a-z]/g, "")
    .slice(0, 40);
  return letters || "user";
}

/** One that is free for certain, until the real one is claimed. */
export function provisionalUsername(): string {
  return `user${crypto.randomUUID().replace(/\D/g, "").padEnd(12, "0")}`;
}

/** Whether the real one is still to be claimed. */
export function isProvisional(username: string): boolean {
  return /^user\d{12,}$/.test(username);
}

/** The base itself when free, else with 01 to 99, then three digits and more. */
export function freeUsername(base: string, taken: ReadonlySet<string>): string {
  if (!taken.has(base)) return base;
  for (let suffix = 1; ; suffix += 1) {
    const candidate = `${base}${String(suffix).padStart(2, "0")}`;
    if (!taken.has(candidate)) return candidate;
  }
}
