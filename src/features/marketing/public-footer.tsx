import { BrandMark } from "@/ui/brand-mark";
import { FIRM, SERVICES } from "./content";

const COMPANY = [
  { href: "/#about", label: "About Us" },
  { href: "/#goal", label: "Our Goal" },
  { href: "/#contact", label: "Contact us" },
] as const;
const ACCOUNT = [
  { href: "/login", label: "Sign in" },
  { href: "/signup", label: "Create an account" },
] as const;
const LEGAL = [
  { href: "/terms", label: "Terms" },
  { href: "/privacy", label: "Privacy" },
] as const;

/** The foot of every public page: what the firm does, and every page there is. */
export function PublicFooter() {
  return (
    <footer className="mt-16 border-line border-t bg-sunken print:hidden md:mt-24">
      <div className="mx-auto max-w-[1180px] px-5 py-12 sm:px-8">
        <div className="grid gap-x-8 gap-y-10 sm:grid-cols-2 lg:grid-cols-[2fr_1fr_1fr_1fr]">
          <div>
            <p className="flex items-center gap-2.5 font-display font-semibold text-[17px] tracking-[-0.02em]">
              <BrandMark />
              {FIRM.name}
            </p>
            <p className="mt-3 max-w-[32ch] text-ink2">
              One place where we and our clients see the same work, and see the code move.
            </p>
          </div>
          <div>
            <h2 className="font-medium font-sans text-dense tracking-normal">Services</h2>
            <ul className="mt-3 text-ink2">
              {SERVICES.map((service) => (
                <li key={service} className="py-1">
                  {service}
                </li>
              ))}
            </ul>
          </div>
          <FooterLinks title="Company" links={COMPANY} />
          <FooterLinks title="Account" links={ACCOUNT} />
        </div>
        <div className="mt-10 flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-line border-t pt-5 text-dense text-ink2">
          <p>
            {FIRM.name}, {FIRM.hours}
          </p>
          <ul className="flex gap-5">
            {LEGAL.map((link) => (
              <li key={link.href}>
                <a href={link.href} className="inline-flex min-h-8 items-center hover:text-ink hover:underline">
                  {link.label}
                </a>
              </li>
            ))}
          </ul>
        </div>
      </div>
    </footer>
  );
}

type FooterLinksProps = { title: string; links: readonly { href: string; label: string }[] };

function FooterLinks({ title, links }: FooterLinksProps) {
  return (
    <nav aria-label={title}>
      <h2 className="font-medium font-sans text-dense tracking-normal">{title}</h2>
      <ul className="mt-3 text-ink2">
        {links.map((link) => (
          <li key={link.href}>
            <a href={link.href} className="inline-flex min-h-[29px] items-center hover:text-ink hover:underline">
              {link.label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
