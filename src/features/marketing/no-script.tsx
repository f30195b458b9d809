import { BrandMark } from "@/ui/brand-mark";
import { buttonStyle } from "@/ui/button-style";
import { CONTACT_LINK, FIRM } from "./content/firm";

/** What the app's document shows without JavaScript. The public pages it links to work without. */
export function NoScript() {
  return (
    <noscript>
      <main className="mx-auto flex min-h-dvh max-w-[60ch] flex-col items-start justify-center px-5 py-16">
        <BrandMark />
        <h1 className="mt-6 text-h2">{FIRM.product} needs JavaScript</h1>
        <p className="mt-3 text-ink2 text-reading">
          Turn it on for this site and reload the page to log in or to create an account. You can also write to us at{" "}
          <a href={`mailto:${FIRM.email}`} className="font-medium text-brand-text underline underline-offset-4">
            {FIRM.email}
          </a>{" "}
          or use the contact form, which works without it.
        </p>
        <div className="mt-7 flex flex-wrap gap-2.5">
          <a href={CONTACT_LINK.href} className={buttonStyle({ variant: "primary", size: "lg" })}>
            {CONTACT_LINK.label}
          </a>
          <a href="/" className={buttonStyle({ size: "lg" })}>
            Go to the start page
          </a>
        </div>
      </main>
    </noscript>
  );
}
