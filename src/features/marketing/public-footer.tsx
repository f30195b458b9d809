import { BrandMark } from "@/ui/brand-mark";
import { COMPANY_LINKS, FIRM, LEGAL_LINKS, type NavLink, PRODUCT_LINKS, SERVICES } from "./content/firm";

/** The anchor of the footer's lists, which the menu button links to without JavaScript. */
export const FOOTER_LINKS_ID = "pages";

const SERVICE_LINKS = SERVICES.map(({ id, name }) => ({ href: `/#${id}`, label: name }));

/** The footer of every public page. */
export function PublicFooter() {
  return (
    <footer className="mt-20 border-line border-t bg-sunken md:mt-28 print:mt-8">
      <div className="mx-auto max-w-[1180px] px-5 py-12 sm:px-8 md:py-16 print:px-0 print:py-4">
        <nav
          id={FOOTER_LINKS_ID}
          aria-label="Footer"
          className="grid grid-cols-2 gap-x-8 gap-y-10 sm:grid-cols-3 lg:grid-cols-[2fr_1fr_1fr_1fr] print:hidden"
        >
          <div className="col-span-full lg:col-span-1">
            <p className="flex items-center gap-2.5 font-display font-semibold text-[17px] tracking-[-0.02em]">
              <BrandMark />
              {FIRM.name}
            </p>
            <p className="mt-3 max-w-[34ch] text-ink2">{FIRM.line}</p>
          </div>
          <FooterLinks title="Services" links={SERVICE_LINKS} />
          <FooterLinks title="Company" links={COMPANY_LINKS} />
          <FooterLinks title="Product" links={PRODUCT_LINKS} />
        </nav>
        <div className="mt-12 flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-line border-t pt-5 text-dense text-ink2 print:mt-0 print:border-0 print:pt-0">
          <p>
            {FIRM.name}, {FIRM.place}. {FIRM.hours}
          </p>
          <ul className="flex flex-wrap gap-x-5 print:hidden">
            {LEGAL_LINKS.map((link) => (
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

type FooterLinksProps = { title: string; links: readonly NavLink[] };

function FooterLinks({ title, links }: FooterLinksProps) {
  return (
    <div>
      <h2 className="font-medium font-sans text-dense tracking-normal">{title}</h2>
      <ul className="mt-3 text-ink2">
        {links.map((link) => (
          <li key={link.href}>
            <a href={link.href} className="inline-flex min-h-[30px] items-center hover:text-ink hover:underline">
              {link.label}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
