import type { Me } from "@server/contract/views";
import { Link } from "@tanstack/react-router";
import { Search, X } from "lucide-react";
import { type ReactNode, type Ref, useImperativeHandle, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useMedia } from "@/lib/use-media";
import { ShellHeader } from "@/ui/app-shell";
import { buttonStyle } from "@/ui/button-style";
import { IconButton } from "@/ui/icon-button";
import { SearchInput } from "@/ui/search-input";
import { ThemeToggle } from "@/ui/theme-toggle";
import { LONGEST_SEARCH } from "./board-search";
import { UserMenu } from "./user-menu";

/** The server takes no longer search either. */

type BoardHeaderProps = {
  me: Me;
  /** Stands in the header below 768 px, where there is no sidebar. */
  brand: ReactNode;
  text: string;
  onTextChange: (text: string) => void;
  newProject: ReactNode;
  /** For the key that brings one to the search box. */
  ref: Ref<{ focusSearch: () => void }>;
};

/** Search, theme, "+ New Project", the way to /admin, and who is signed in. On a phone the search opens over the rest. */
export function BoardHeader({ me, brand, text, onTextChange, newProject, ref }: BoardHeaderProps) {
  const isWide = useMedia("(width >= 48rem)");
  const [isOpened, setOpened] = useState(text !== "");
  const input = useRef<HTMLInputElement>(null);
  const opener = useRef<HTMLButtonElement>(null);

  function openSearch(): void {
    flushSync(() => setOpened(true));
    input.current?.focus();
  }
  function closeSearch(): void {
    onTextChange("");
    flushSync(() => setOpened(false));
    opener.current?.focus();
  }
  useImperativeHandle(ref, () => ({ focusSearch: openSearch }));

  const search = (
    <SearchInput
      ref={input}
      label="Search"
      shortcut="/"
      className="w-full max-md:flex-1 md:max-w-[420px]"
      value={text}
      maxLength={LONGEST_SEARCH}
      autoComplete="off"
      onChange={({ target }) => onTextChange(target.value)}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || text === "") return;
        // Escape clears first; only from an empty box does it reach the panel.
        event.preventDefault();
        onTextChange("");
      }}
    />
  );
  if (!isWide && isOpened) {
    return (
      <ShellHeader>
        {search}
        <IconButton icon={X} label="Close search" onClick={closeSearch} />
      </ShellHeader>
    );
  }
  return (
    <ShellHeader>
      {isWide ? search : brand}
      <div className="ms-auto flex shrink-0 items-center gap-1 sm:gap-2.5">
        {!isWide && <IconButton ref={opener} icon={Search} label="Search" onClick={openSearch} />}
        <ThemeToggle />
        {isWide && newProject}
        {isWide && me.accountType === "admin" && (
          <Link to="/admin" className={buttonStyle()}>
            Admin Dashboard
          </Link>
        )}
        <UserMenu me={me} />
      </div>
    </ShellHeader>
  );
}
