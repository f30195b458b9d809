import type { Me } from "@server/contract/views";
import { Link } from "@tanstack/react-router";
import { Search, X } from "lucide-react";
import { type ReactNode, type Ref, useImperativeHandle, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { AccountMenu } from "@/features/auth/account-menu";
import { Bell } from "@/features/notifications/bell";
import { MAX_SEARCH_LENGTH } from "@/features/projects/board-search";
import { PaletteButton } from "@/features/search/palette-button";
import { isComposing } from "@/lib/is-composing";
import { useMedia } from "@/lib/use-media";
import { ShellHeader } from "@/ui/app-shell";
import { buttonStyle } from "@/ui/button-style";
import { IconButton } from "@/ui/icon-button";
import { SearchInput } from "@/ui/search-input";
import { ThemeToggle } from "@/ui/theme-toggle";
import { PageLink } from "../../-page-link";

type DashboardHeaderProps = {
  me: Me;
  /** Shown in the header below 768 px, where there is no sidebar. */
  brand: ReactNode;
  text: string;
  onTextChange: (text: string) => void;
  /** Enter in the search box. */
  onSubmit: () => void;
  /** What the search finds on this page. */
  placeholder: string;
  newProject: ReactNode;
  onPalette: () => void;
  onHelp: () => void;
  /** For the shortcut that focuses the search box. */
  ref: Ref<{ focusSearch: () => void }>;
};

/** Search, theme, "+ New Project", the link to /admin, and the user menu. On a phone the search opens over the rest. */
export function DashboardHeader({ me, brand, newProject, onPalette, onHelp, ref, ...search }: DashboardHeaderProps) {
  const isWide = useMedia("(width >= 48rem)");
  const [isOpened, setOpened] = useState(search.text !== "");
  const input = useRef<HTMLInputElement>(null);
  const opener = useRef<HTMLButtonElement>(null);

  function openSearch(): void {
    flushSync(() => setOpened(true));
    input.current?.focus();
    input.current?.select();
  }
  function closeSearch(): void {
    search.onTextChange("");
    flushSync(() => setOpened(false));
    opener.current?.focus();
  }
  useImperativeHandle(ref, () => ({ focusSearch: openSearch }));

  if (!isWide && isOpened) {
    return (
      <ShellHeader>
        <HeaderSearch ref={input} {...search} />
        <IconButton icon={X} label="Close search" onClick={closeSearch} />
      </ShellHeader>
    );
  }
  return (
    <ShellHeader>
      {isWide ? <HeaderSearch ref={input} {...search} end={<PaletteButton onClick={onPalette} />} /> : brand}
      <div className="ms-auto flex shrink-0 items-center gap-1 sm:gap-2.5">
        {!isWide && <IconButton ref={opener} icon={Search} label="Search" onClick={openSearch} />}
        <ThemeToggle />
        <Bell inbox={<PageLink to="/dashboard/inbox" />} />
        {isWide && newProject}
        {isWide && me.accountType === "admin" && (
          <Link to="/admin" className={buttonStyle()}>
            Admin Dashboard
          </Link>
        )}
        <AccountMenu settings={<PageLink to="/dashboard/settings" />} onHelp={onHelp} />
      </div>
    </ShellHeader>
  );
}

type HeaderSearchProps = Pick<DashboardHeaderProps, "text" | "onTextChange" | "onSubmit" | "placeholder"> & {
  end?: ReactNode;
  ref: Ref<HTMLInputElement>;
};

function HeaderSearch({ text, onTextChange, onSubmit, placeholder, end, ref }: HeaderSearchProps) {
  return (
    <SearchInput
      ref={ref}
      label={placeholder}
      shortcut="/"
      end={end}
      className="w-full max-md:flex-1 md:max-w-[420px]"
      value={text}
      maxLength={MAX_SEARCH_LENGTH}
      autoComplete="off"
      enterKeyHint="search"
      onChange={({ target }) => onTextChange(target.value)}
      onKeyDown={(event) => {
        if (event.key === "Enter" && !isComposing(event)) onSubmit();
        if (event.key !== "Escape" || text === "") return;
        // Escape clears the text first; only from an empty box does it close the panel.
        event.preventDefault();
        onTextChange("");
      }}
    />
  );
}
