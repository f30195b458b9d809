import type { ReactNode } from "react";
import { Button } from "@/ui/button";
import { GoogleMark } from "@/ui/google-mark";

type GoogleButtonProps = { busy: boolean; onClick: () => void; children: ReactNode };

/** The alternative to the form above it. */
export function GoogleButton({ busy, onClick, children }: GoogleButtonProps) {
  return (
    <div>
      <p className="mb-4 flex items-center gap-3 text-dense text-ink3">
        <span aria-hidden="true" className="h-px flex-1 bg-line" />
        or
        <span aria-hidden="true" className="h-px flex-1 bg-line" />
      </p>
      <Button size="lg" wide icon={<GoogleMark />} busy={busy} busyLabel="Going to Google..." onClick={onClick}>
        {children}
      </Button>
    </div>
  );
}

const SIGN_UP_KEY = "google-sign-up";

/** Remembers in this tab that somebody went to Google to sign up. */
export function noteGoogleSignUp(): void {
  try {
    sessionStorage.setItem(SIGN_UP_KEY, "1");
  } catch {
    // Without storage only one sentence is missing afterwards.
  }
}

/** Whether somebody who comes back from Google went there to sign up. */
export function isGoogleSignUp(): boolean {
  try {
    return sessionStorage.getItem(SIGN_UP_KEY) !== null;
  } catch {
    return false;
  }
}

export function forgetGoogleSignUp(): void {
  try {
    sessionStorage.removeItem(SIGN_UP_KEY);
  } catch {
    // Nothing was stored.
  }
}
