import type { LucideIcon } from "lucide-react";
import type { ReactElement } from "react";

/** One line of a menu. */
export type MenuEntry =
  | {
      kind?: "action" | undefined;
      label: string;
      icon?: LucideIcon | undefined;
      onSelect: () => void;
      tone?: "plain" | "danger" | undefined;
      disabled?: boolean | undefined;
      /** Makes it one of several choices, of which this is, or is not, the present one. */
      checked?: boolean | undefined;
    }
  | {
      kind: "link";
      label: string;
      icon?: LucideIcon | undefined;
      render: ReactElement;
      /** A second line, below the label. */
      detail?: string | undefined;
      /** It is marked as unread, and said to be; undefined where that is no question. */
      isUnread?: boolean | undefined;
      /** Where labels may repeat. */
      id?: string | undefined;
    }
  | { kind: "group"; label: string; entries: readonly MenuEntry[] }
  | { kind: "separator" };
