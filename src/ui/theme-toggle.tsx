import { Moon, Sun } from "lucide-react";
import { useDarkMode } from "@/lib/use-local-setting";
import { IconButton } from "./icon-button";

/** The toggle named "Dark mode", kept in this browser. */
export function ThemeToggle() {
  const [isDark, setDark] = useDarkMode();
  return <IconButton icon={isDark ? Sun : Moon} label="Dark mode" pressed={isDark} onClick={() => setDark(!isDark)} />;
}
