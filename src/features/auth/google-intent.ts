const KEY = "google-sign-up";

/** Remembers, in this tab, that somebody left for Google to make an account. */
export function noteGoogleSignUp(): void {
  try {
    sessionStorage.setItem(KEY, "1");
  } catch {
    // A closed storage costs one sentence on the way back.
  }
}

/** Whether whoever comes back from Google had gone there to make an account. */
export function isGoogleSignUp(): boolean {
  try {
    return sessionStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}

export function forgetGoogleSignUp(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Nothing was kept.
  }
}
