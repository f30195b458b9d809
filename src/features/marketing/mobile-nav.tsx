import { Menu, X } from "lucide-react";
import { useEffect, useRef } from "react";
import { cn } from "@/lib/cn";
import { BrandMark } from "@/ui/brand-mark";
import { buttonStyle } from "@/ui/button-style";
import { IconButton } from "@/ui/icon-button";
import { CONTACT_LINK, FIRM, MENUS, NAV_LINKS, type NavLink } from "./content/firm";
import { FOOTER_LINKS_ID } from "./public-footer";

/** A native modal dialog: focus stays inside, Escape closes, focus returns to the button. Without JavaScript a link to the footer. */
export function MobileNav({ className }: { className?: string }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const close = () => dialog.current?.close();
  useEffect(() => {
    const element = dialog.current;
    if (!element) return undefined;
    // Close it where the button is hidden: an invisible modal dialog would block every click on the page.
    const watcher = new ResizeObserver(() => {
      if (element.open && element.getClientRects().length === 0) element.close();
    });
    watcher.observe(element);
    return () => watcher.disconnect();
  }, []);
  return (
    <div className={className}>
      <IconButton
        icon={Menu}
        label="Menu"
        aria-haspopup="dialog"
        className="-me-2 noscript:hidden"
        onClick={() => dialog.current?.showModal()}
      />
      <span className="hidden noscript:block">
        <a href={`#${FOOTER_LINKS_ID}`} className={buttonStyle({ variant: "quiet" })}>
          Menu
        </a>
      </span>
      <dialog
        ref={dialog}
        aria-label="Menu"
        className="m-0 hidden h-dvh max-h-none w-full max-w-none flex-col overflow-y-auto overscroll-contain bg-surface px-5 pb-8 text-ink open:flex sm:px-8"
      >
        <div className="flex h-[60px] shrink-0 items-center justify-between md:h-[72px]">
          <span className="flex items-center gap-2.5">
            <BrandMark />
            <span className="font-display font-semibold text-[17px] tracking-[-0.02em]">{FIRM.product}</span>
          </span>
          <IconButton icon={X} label="Close menu" className="-me-2" onClick={close} />
        </div>
        <nav aria-label="Menu" className="mt-2 mb-8">
          {/* Leaves out Careers and Kartavya, which are in the lists below. */}
          <Links links={[...NAV_LINKS, CONTACT_LINK]} onFollow={close} isLarge />
          <div className="grid grid-cols-2 gap-x-6 sm:grid-cols-3">
            {MENUS.map(({ label, links }) => (
              <div key={label} className={cn("mt-7", label === "Services" && "max-sm:row-span-2")}>
                <h2 className="font-medium font-sans text-dense text-ink2 tracking-normal">{label}</h2>
                <Links
                  links={links.filter(({ href }) => !NAV_LINKS.some((link) => link.href === href))}
                  onFollow={close}
                />
              </div>
            ))}
          </div>
        </nav>
        <a
          href="/login"
          className={cn(buttonStyle({ variant: "primary", size: "lg", wide: true }), "mt-auto sm:max-w-[320px]")}
        >
          Sign in
        </a>
      </dialog>
    </div>
  );
}

type LinksProps = { links: readonly NavLink[]; onFollow: () => void; isLarge?: boolean };

function Links({ links, onFollow, isLarge = false }: LinksProps) {
  return (
    <ul>
      {links.map((link) => (
        <li key={link.href}>
          <a
            href={link.href}
            onClick={onFollow}
            className={
              isLarge
                ? "flex min-h-12 items-center border-line border-b font-display font-semibold text-h3 tracking-[-0.02em]"
                : "flex min-h-11 items-center text-reading"
            }
          >
            {link.label}
          </a>
        </li>
      ))}
    </ul>
  );
}
