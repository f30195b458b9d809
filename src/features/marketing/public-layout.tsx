import { Menu, X } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { BrandMark } from "@/ui/brand-mark";
import { buttonStyle } from "@/ui/button-style";
import { IconButton } from "@/ui/icon-button";
import { SkipLink } from "@/ui/skip-link";
import { ThemeToggle } from "@/ui/theme-toggle";
import { FIRM } from "./content";
import { PublicFooter } from "./public-footer";

const LINKS = [
  { href: "/#about", label: "About Us" },
  { href: "/#goal", label: "Our Goal" },
] as const;

type PublicLayoutProps = { children: ReactNode };

/** The frame of a public page: sticky navigation, main, footer. Reads and links work without JavaScript. */
export function PublicLayout({ children }: PublicLayoutProps) {
  return (
    <>
      <SkipLink />
      <header className="line-on-scroll sticky top-0 z-30 border-b bg-canvas/92 print:hidden">
        <div className="mx-auto flex h-[60px] max-w-[1180px] items-center gap-1 px-5 sm:px-8 md:h-[72px]">
          <Brand />
          <nav aria-label="Main" className="ms-7 hidden flex-1 items-center gap-1 md:flex">
            {LINKS.map((link) => (
              <a key={link.href} href={link.href} className={buttonStyle({ variant: "quiet" })}>
                {link.label}
              </a>
            ))}
            <a href="/#contact" className={buttonStyle({ variant: "quiet" })}>
              Contact us
            </a>
          </nav>
          <div className="ms-auto flex items-center gap-1.5">
            <ThemeToggle />
            <a href="/login" className={buttonStyle({ variant: "secondary" })}>
              Sign in
            </a>
            <MobileNav />
          </div>
        </div>
      </header>
      <main id="main" tabIndex={-1} className="mx-auto w-full max-w-[1180px] px-5 sm:px-8">
        {children}
      </main>
      <PublicFooter />
    </>
  );
}

function Brand() {
  return (
    <a href="/" className="flex min-h-11 items-center gap-2.5 rounded-control pe-1">
      <BrandMark />
      <span className="font-display font-semibold text-[17px] tracking-[-0.02em]">{FIRM.product}</span>
    </a>
  );
}

/** A native modal dialog: focus stays inside, Escape closes, focus returns to the button. */
function MobileNav() {
  const dialog = useRef<HTMLDialogElement>(null);
  const close = () => dialog.current?.close();
  return (
    <>
      <IconButton
        icon={Menu}
        label="Menu"
        aria-haspopup="dialog"
        className="-me-2 md:hidden"
        onClick={() => dialog.current?.showModal()}
      />
      <dialog
        ref={dialog}
        aria-label="Menu"
        className="m-0 hidden h-dvh max-h-none w-full max-w-none flex-col bg-surface px-5 pb-8 text-ink open:flex"
      >
        <div className="flex h-[60px] shrink-0 items-center justify-between">
          <span className="flex items-center gap-2.5">
            <BrandMark />
            <span className="font-display font-semibold text-[17px] tracking-[-0.02em]">{FIRM.product}</span>
          </span>
          <IconButton icon={X} label="Close menu" className="-me-2" onClick={close} />
        </div>
        <nav aria-label="Menu" className="mt-4 flex flex-1 flex-col">
          {[...LINKS, { href: "/#contact", label: "Contact us" }].map((link) => (
            <a
              key={link.href}
              href={link.href}
              onClick={close}
              className="flex min-h-14 items-center border-line border-b font-display font-semibold text-h3 tracking-[-0.02em]"
            >
              {link.label}
            </a>
          ))}
        </nav>
        <a href="/login" className={buttonStyle({ variant: "primary", size: "lg", wide: true })}>
          Sign in
        </a>
      </dialog>
    </>
  );
}
