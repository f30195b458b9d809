import type { InquiryFormState } from "@server/contract/inquiry-form";
import type { ReactNode } from "react";
import { BrandMark } from "@/ui/brand-mark";
import { buttonStyle } from "@/ui/button-style";
import { SkipLink } from "@/ui/skip-link";
import { ThemeToggle } from "@/ui/theme-toggle";
import { CONTACT_LINK, FIRM, MENUS, NAV_LINKS } from "./content/firm";
import { MobileNav } from "./mobile-nav";
import { NavMenu } from "./nav-menu";
import { PublicFooter } from "./public-footer";

/** The props of a public page. */
export type PublicPageProps = {
  /** Of the form on it, if it has one. */
  form: InquiryFormState;
};

type PublicLayoutProps = { children: ReactNode };

/** The frame of a public page: sticky navigation, main, footer. Reads and links work without JavaScript. */
export function PublicLayout({ children }: PublicLayoutProps) {
  return (
    <>
      <SkipLink />
      <header className="line-on-scroll sticky top-0 z-30 border-b bg-canvas/96 print:static print:border-0">
        <div className="mx-auto flex h-[60px] max-w-[1180px] items-center gap-1 px-5 sm:px-8 md:h-[72px] print:h-auto print:px-0">
          <Brand />
          <nav aria-label="Main" className="ms-5 hidden flex-1 items-center md:flex">
            {MENUS.map((menu) => (
              <NavMenu key={menu.label} label={menu.label} links={menu.links} className="hidden nav:block" />
            ))}
            {NAV_LINKS.map((link) => (
              <a key={link.href} href={link.href} className={buttonStyle({ variant: "quiet" })}>
                {link.label}
              </a>
            ))}
            <span className="ms-auto hidden nav:block">
              <a href={CONTACT_LINK.href} className={buttonStyle({ variant: "quiet" })}>
                {CONTACT_LINK.label}
              </a>
            </span>
          </nav>
          <div className="ms-auto flex items-center gap-1.5 md:ms-0 print:hidden">
            <span className="noscript:hidden">
              <ThemeToggle />
            </span>
            <a href="/login" className={buttonStyle({ variant: "secondary" })}>
              Sign in
            </a>
            <MobileNav className="nav:hidden" />
          </div>
        </div>
      </header>
      <main id="main" tabIndex={-1} className="mx-auto w-full max-w-[1180px] px-5 sm:px-8 print:px-0">
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
