import { ChevronDown } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { cn } from "@/lib/cn";
import { buttonStyle } from "@/ui/button-style";
import type { NavLink } from "./content/firm";

type NavMenuProps = { label: string; links: readonly NavLink[]; className?: string | undefined };

/**
 * A disclosure button with a list of links: not an ARIA menu, Tab moves through it. Escape closes it and returns focus to the
 * button; a press or focus elsewhere closes it too. Without JavaScript it opens on focus or hover.
 */
export function NavMenu({ label, links, className }: NavMenuProps) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (!isOpen) return undefined;
    const closeOutside = ({ target }: Event) => {
      if (target instanceof Node && !box.current?.contains(target)) setOpen(false);
    };
    const closeByKey = ({ key }: KeyboardEvent) => {
      if (key !== "Escape") return;
      setOpen(false);
      button.current?.focus();
    };
    document.addEventListener("pointerdown", closeOutside);
    document.addEventListener("focusin", closeOutside);
    document.addEventListener("keydown", closeByKey);
    return () => {
      document.removeEventListener("pointerdown", closeOutside);
      document.removeEventListener("focusin", closeOutside);
      document.removeEventListener("keydown", closeByKey);
    };
  }, [isOpen]);
  return (
    <div ref={box} className={cn("group relative", className)}>
      <button
        ref={button}
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
        className={cn(buttonStyle({ variant: "quiet" }), "gap-1.5", isOpen && "bg-hover text-ink")}
      >
        {label}
        <ChevronDown size={16} className={cn("transition-transform duration-140 ease-out", isOpen && "rotate-180")} />
      </button>
      <ul
        id={id}
        className={cn(
          "absolute start-0 top-full z-40 w-max min-w-[200px] rounded-card bg-raised p-1.5 shadow-2",
          "noscript:group-focus-within:block noscript:group-hover:block",
          isOpen ? "mt-1.5" : "hidden",
        )}
      >
        {links.map((link) => (
          <li key={link.href}>
            <a
              href={link.href}
              onClick={() => setOpen(false)}
              className="flex min-h-10 items-center rounded-control px-3 text-ink2 hover:bg-hover hover:text-ink"
            >
              {link.label}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
