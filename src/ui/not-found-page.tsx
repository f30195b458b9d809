import { Compass } from "lucide-react";
import { buttonStyle } from "./button-style";

/** The calm answer to an address that leads nowhere. */
export function NotFoundPage() {
  return (
    <main className="grid min-h-dvh place-items-center px-4 py-16">
      <div className="flex max-w-[44ch] flex-col items-center gap-4 text-center">
        <Compass size={20} className="text-ink3" />
        <h1 tabIndex={-1} className="text-h1">
          Page not found
        </h1>
        <p className="text-ink2">There is nothing at this address. It may have moved, or the link may be incomplete.</p>
        <a href="/" className={buttonStyle({ variant: "secondary" })}>
          Go to the start page
        </a>
      </div>
    </main>
  );
}
