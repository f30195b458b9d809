/** Text as it is compared in searches: case, accents and the space around do not matter. "elan" finds "Élan". */
export function fold(text: string): string {
  return text.trim().normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}
