import { Download } from "lucide-react";
import { useMedia } from "@/lib/use-media";
import { ActionMenu } from "@/ui/action-menu";
import { Button } from "@/ui/button";
import { IconButton } from "@/ui/icon-button";
import type { ProjectScope } from "./project-cache";
import { type ExportFormat, useExport } from "./use-export";

const FORMATS: { format: ExportFormat; label: string }[] = [
  { format: "csv", label: "CSV, for spreadsheets" },
  { format: "json", label: "JSON, for programs" },
];

/** "Export": downloads the projects of the list below it, with their tasks. Not for clients. */
export function ExportMenu({ scope }: { scope: ProjectScope }) {
  const isWide = useMedia("(width >= 40rem)");
  const { mutate, isPending } = useExport(scope);
  return (
    <ActionMenu
      label="Export projects"
      trigger={
        isWide ? (
          <Button busy={isPending} busyLabel="Exporting..." icon={<Download size={16} />}>
            Export
          </Button>
        ) : (
          <IconButton icon={Download} label="Export" variant="line" aria-disabled={isPending} />
        )
      }
      entries={FORMATS.map(({ format, label }) => ({
        label,
        disabled: isPending,
        onSelect: () => mutate(format),
      }))}
    />
  );
}
