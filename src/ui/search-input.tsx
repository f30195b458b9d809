import { Search } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { cn } from "@/lib/cn";
import { useShortcutHint } from "@/lib/use-local-setting";
import { Kbd } from "./kbd";

type SearchInputProps = Omit<ComponentProps<"input">, "type"> & {
  /** The accessible name; also the placeholder unless one is given. */
  label: string;
  /** The key that brings one here, drawn at the end. */
  shortcut?: string | undefined;
  /** A button inside the box, at its end. */
  end?: ReactNode;
};

/** A searchbox for headers and filters. */
export function SearchInput({ label, shortcut: key, end, className, placeholder, ...rest }: SearchInputProps) {
  const shortcut = useShortcutHint(key);
  return (
    <span className={cn("relative block min-w-0", className)}>
      <Search size={16} className="pointer-events-none absolute start-2.5 top-1/2 -translate-y-1/2 text-ink2" />
      <input
        {...rest}
        type="search"
        aria-label={label}
        aria-keyshortcuts={shortcut}
        placeholder={placeholder ?? label}
        className={cn(
          "h-11 w-full min-w-0 rounded-control border border-line bg-raised ps-9 pe-3 text-reading pointer-fine:h-9 sm:text-body",
          "transition-colors duration-90 ease-out hover:border-line-strong focus-visible:-outline-offset-1 dark:bg-surface",
          shortcut && "pe-9",
          end && "pe-21",
        )}
      />
      <span className="pointer-events-none absolute inset-y-0 end-2.5 flex items-center">
        {shortcut && (
          <span className="pointer-coarse:hidden">
            <Kbd>{shortcut}</Kbd>
          </span>
        )}
        {end && <span className="pointer-events-auto -me-1.5">{end}</span>}
      </span>
    </span>
  );
}
