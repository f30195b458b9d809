import type { SystemStatus } from "@server/contract/system";
import { formatInstantInText } from "@/lib/format";
import { formatBytes } from "@/lib/format-bytes";
import { Button } from "@/ui/button";
import { SystemCard } from "./system-card";
import { describeBackups, describeLastBackup } from "./system-text";
import { useBackupNow } from "./use-system";

type BackupCardProps = { backups: SystemStatus["backups"] };

/** The last backup, the next one, and one on demand. */
export function BackupCard({ backups }: BackupCardProps) {
  const { last, running } = backups;
  const backup = useBackupNow();
  return (
    <SystemCard
      title="Backups"
      lead={
        <>
          {/* Says by itself when it is made. */}
          <p role="status">{running ? describeRunning(running) : describeLastBackup(last)}</p>
          {!running && last?.error && <p className="text-red">{last.error}</p>}
        </>
      }
      figure={last?.sizeBytes == null ? "none" : formatBytes(last.sizeBytes)}
      figureLabel="last backup"
      action={
        <Button busy={backup.isPending || running !== null} busyLabel="Backing up..." onClick={() => backup.mutate()}>
          Back up now
        </Button>
      }
    >
      <div className="border-line border-t pt-3 text-dense text-ink2">
        {describeBackups(backups).map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
    </SystemCard>
  );
}

function describeRunning({ since }: { since: string | null }): string {
  return since === null
    ? "The nightly backup is being made."
    : `A backup is being made, since ${formatInstantInText(since)}.`;
}
