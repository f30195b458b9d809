import { SEARCH_MESSAGES } from "@server/contract/messages/search";
import type { Me } from "@server/contract/views";
import { useState } from "react";
import { MAX_SEARCH_LENGTH } from "@/features/projects/board-search";
import { useSearch } from "@/features/search/use-search";
import type { Home } from "@/lib/landing";
import { messageOf } from "@/lib/user-message";
import { CommandPalette, type PaletteGroup } from "@/ui/command-palette";
import { ErrorState } from "@/ui/error-state";
import { describeFound, paletteGroups } from "./palette-groups";
import { PALETTE_LABEL, PALETTE_SHORTCUT } from "./palette-label";
import { useOpenProject } from "./use-open-project";
import { type PalettePage, usePaletteCommands } from "./use-palette-commands";
import { usePaletteFinds } from "./use-palette-finds";
import { usePaletteTexts } from "./use-palette-texts";

type PaletteProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  me: Me;
  /** The start page of the shell. */
  home: Home;
  pages: readonly PalettePage[];
  /** Whose portal an admin looks at: found is what that client would find. */
  asClientId: string | undefined;
  /** Shows a person in the list of people. */
  onPerson: (name: string) => void;
  onHelp: () => void;
};

/** Ctrl or Cmd with K: every command, project, task, person, comment, message, request and file under one input. */
export function Palette({ open, onOpenChange, me, home, pages, asClientId, onPerson, onHelp }: PaletteProps) {
  const [text, setText] = useState("");
  // The text is cleared at the next opening, so that it stays visible while the palette fades out.
  const [wasOpen, setWasOpen] = useState(open);
  if (open !== wasOpen) {
    setWasOpen(open);
    if (open) setText("");
  }
  const query = text.trim();
  const search = useSearch(open ? text : "", { asClientId });
  const commands = usePaletteCommands({ me, home, pages, onHelp });
  const openProject = useOpenProject(asClientId);
  const finds = usePaletteFinds({ me, home, asClientId, openProject, onPerson, query, found: search.found });
  const texts = usePaletteTexts({ me, home, asClientId, openProject, query, found: search.found });
  const groups: PaletteGroup[] = paletteGroups({ query, personId: me.id, commands, ...finds, ...texts });
  const isSettled = query === "" || search.isFor;
  return (
    <CommandPalette
      open={open}
      onOpenChange={onOpenChange}
      label={PALETTE_LABEL}
      shortcut={PALETTE_SHORTCUT}
      text={text}
      onTextChange={setText}
      query={query}
      maxLength={MAX_SEARCH_LENGTH}
      busy={search.isFetching}
      groups={groups}
      status={isSettled ? describeFound(groups) : ""}
      emptyMessage={isSettled && !search.failure ? SEARCH_MESSAGES.nothing(query) : null}
      notice={
        search.failure && (
          <ErrorState
            message={`${SEARCH_MESSAGES.failed} ${messageOf(search.failure)}`}
            busy={search.isFetching}
            onRetry={search.retry}
            className="py-4!"
          />
        )
      }
    />
  );
}
