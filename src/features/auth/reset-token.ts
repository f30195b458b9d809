/** The token of the reset link that opened this page: in memory only, and out of the address as soon as it was read. */
let held: string | null = null;

export function holdResetToken(token: string): void {
  held = token;
}

export function heldResetToken(): string | null {
  return held;
}

export function dropResetToken(): void {
  held = null;
}
