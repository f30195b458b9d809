import type { Me } from "@server/contract/views";
import { useRouter } from "@tanstack/react-router";
import {
  ArrowLeftRight,
  Keyboard,
  LayoutDashboard,
  LogOut,
  type LucideIcon,
  Moon,
  PanelLeft,
  Plus,
  Shield,
  Sun,
} from "lucide-react";
import { useSignOut } from "@/features/auth/use-auth";
import { useOverlays } from "@/features/projects/use-overlays";
import { rememberChoice } from "@/features/search/recent-choices";
import type { Home } from "@/lib/landing";
import { useDarkMode, useShortcutHint } from "@/lib/use-local-setting";
import { useMedia } from "@/lib/use-media";
import type { PaletteItem } from "@/ui/command-palette";
import { useSidebarOpen } from "@/ui/sidebar-toggle";

type Command = Omit<PaletteItem, "value"> & { name: string; isOffered?: boolean };

/** A page of the shell. */
export interface PalettePage {
  label: string;
  icon: LucideIcon;
  enter: () => void;
}

type Options = { me: Me; home: Home; pages: readonly PalettePage[]; onHelp: () => void };

/** The commands of the palette: every page, and the actions of header and sidebar. */
export function usePaletteCommands({ me, home, pages, onHelp }: Options): PaletteItem[] {
  const router = useRouter();
  const { openModal } = useOverlays();
  const signOut = useSignOut();
  const [isDark, setDark] = useDarkMode();
  const [isSidebarOpen, toggleSidebar] = useSidebarOpen();
  // Where there is a sidebar, and the account menu lists the shortcuts too.
  const isWide = useMedia("(width >= 48rem)");
  const areKeysOn = useShortcutHint("n") !== undefined;

  const commands: Command[] = [
    ...pages.map(({ label, icon, enter }) => ({
      name: `page-${label}`,
      label: `Go to ${label}`,
      icon,
      onChoose: enter,
    })),
    {
      name: "new-project",
      label: "New project",
      icon: Plus,
      shortcut: "n",
      isOffered: me.accountType !== "client",
      onChoose: () => openModal("create"),
    },
    {
      name: "to-admin",
      label: "Admin Dashboard",
      icon: Shield,
      isOffered: me.accountType === "admin" && home !== "/admin",
      onChoose: () => void router.navigate({ to: "/admin" }),
    },
    {
      name: "to-tasks",
      label: "Switch to Tasks",
      icon: ArrowLeftRight,
      isOffered: home === "/admin",
      onChoose: () => void router.navigate({ to: "/dashboard" }),
    },
    {
      name: "to-client",
      label: "Client Dashboard",
      icon: LayoutDashboard,
      isOffered: me.accountType === "client" && home !== "/client",
      onChoose: () => void router.navigate({ to: "/client" }),
    },
    {
      name: "theme",
      label: isDark ? "Switch to light theme" : "Switch to dark theme",
      icon: isDark ? Sun : Moon,
      staysHere: true,
      onChoose: () => setDark(!isDark),
    },
    {
      name: "sidebar",
      label: isSidebarOpen ? "Collapse sidebar" : "Expand sidebar",
      icon: PanelLeft,
      shortcut: "[",
      isOffered: isWide,
      staysHere: true,
      onChoose: toggleSidebar,
    },
    {
      name: "help",
      label: "Keyboard shortcuts",
      icon: Keyboard,
      shortcut: "?",
      isOffered: isWide,
      onChoose: onHelp,
    },
    { name: "logout", label: "Logout", icon: LogOut, onChoose: () => signOut.mutate() },
  ];
  return commands
    .filter(({ isOffered = true }) => isOffered)
    .map(({ name, isOffered: _, shortcut, onChoose, ...command }) => ({
      ...command,
      value: `command:${name}`,
      shortcut: areKeysOn ? shortcut : undefined,
      onChoose() {
        rememberChoice(me.id, `command:${name}`);
        onChoose();
      },
    }));
}
