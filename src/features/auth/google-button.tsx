import type { ReactNode } from "react";
import { Button } from "@/ui/button";
import { GoogleMark } from "@/ui/google-mark";

type GoogleButtonProps = { busy: boolean; onClick: () => void; children: ReactNode };

/** The other way in, under the form and apart from it. */
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
