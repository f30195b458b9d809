import { filePath } from "@server/contract/files";
import { FILE_MESSAGES } from "@server/contract/messages/files";
import type { File as UploadedFile } from "@server/contract/views";
import { useQuery } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight, Download } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { formatDate } from "@/lib/format";
import { formatBytes } from "@/lib/format-bytes";
import { buttonStyle } from "@/ui/button-style";
import { Delayed } from "@/ui/delayed";
import { Dialog } from "@/ui/dialog";
import { ErrorState } from "@/ui/error-state";
import { IconButton } from "@/ui/icon-button";
import { Skeleton } from "@/ui/skeleton";
import { useLast } from "@/ui/use-last";
import { downloadPath, kindOf } from "./uploaded-file";

/** More of a text is for an editor. */
const MAX_SHOWN_BYTES = 256_000;

type FileViewerProps = {
  /** What can be shown, in order. */
  files: readonly UploadedFile[];
  /** Null closes it. */
  shownId: string | null;
  onShow: (id: string | null) => void;
};

/** Shows a picture, a PDF or a text over the page, with the ones before and after it. Of a text it runs nothing: it is text. */
export function FileViewer({ files, shownId, onShow }: FileViewerProps) {
  const at = files.findIndex(({ id }) => id === shownId);
  const found = files[at];
  const file = useLast(found ?? null, found !== undefined);
  const go = (step: 1 | -1) => {
    const next = files[at + step];
    if (next) onShow(next.id);
  };
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === "ArrowLeft") go(-1);
    if (event.key === "ArrowRight") go(1);
  }
  return (
    <Dialog
      open={found !== undefined}
      onOpenChange={(open) => !open && onShow(null)}
      size="lg"
      title={<bdi>{file?.name}</bdi>}
      description={file && `${formatBytes(file.size)} · ${formatDate(file.createdAt)}`}
      footer={
        file && (
          <>
            {files.length > 1 && (
              <span className="me-auto flex items-center gap-1 text-dense text-ink2">
                <IconButton icon={ChevronLeft} label="Previous file" aria-disabled={at <= 0} onClick={() => go(-1)} />
                <IconButton
                  icon={ChevronRight}
                  label="Next file"
                  aria-disabled={at >= files.length - 1}
                  onClick={() => go(1)}
                />
                <span aria-live="polite">
                  {at + 1} of {files.length}
                </span>
              </span>
            )}
            <a href={downloadPath(file)} download={file.name} className={buttonStyle({ variant: "secondary" })}>
              <Download size={16} />
              Download
            </a>
          </>
        )
      }
    >
      {file && (
        // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys are shortcuts for the two buttons.
        <div key={file.id} onKeyDown={onKeyDown}>
          <Preview file={file} />
        </div>
      )}
    </Dialog>
  );
}

function Preview({ file }: { file: UploadedFile }) {
  switch (kindOf(file)) {
    case "image":
      return <Picture file={file} />;
    case "pdf":
      return (
        <iframe
          src={filePath(file.id, "preview")}
          title={file.name}
          className="block h-[70dvh] w-full rounded-control border border-line bg-sunken"
        />
      );
    default:
      return <Text file={file} />;
  }
}

function Picture({ file: { id, name, width, height } }: { file: UploadedFile }) {
  const [hasFailed, setFailed] = useState(false);
  if (hasFailed) return <ErrorState message={FILE_MESSAGES.notFound} />;
  return (
    <img
      src={filePath(id)}
      alt={name}
      width={width ?? undefined}
      height={height ?? undefined}
      className="mx-auto block h-auto max-h-[68dvh] w-auto max-w-full rounded-control bg-sunken object-contain"
      onError={() => setFailed(true)}
    />
  );
}

function Text({ file: { id, name, size } }: { file: UploadedFile }) {
  const { data, isPending, isError, refetch, isFetching } = useQuery({
    queryKey: ["file-text", id],
    queryFn: ({ signal }) => readText(id, signal),
    staleTime: 60_000,
  });
  if (isError) return <ErrorState message={FILE_MESSAGES.notFound} onRetry={() => void refetch()} busy={isFetching} />;
  return (
    <Delayed pending={isPending} label="Loading the file" skeleton={<Skeleton className="h-64 w-full" />}>
      <section
        // It scrolls, so that the keyboard has to reach it.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: see above.
        tabIndex={0}
        aria-label={name}
        className="max-h-[68dvh] overflow-auto rounded-control border border-line bg-sunken p-3"
      >
        <pre dir="auto" className="whitespace-pre-wrap font-mono text-dense [overflow-wrap:anywhere]">
          {data}
        </pre>
      </section>
      {size > MAX_SHOWN_BYTES && (
        <p className="mt-2 text-dense text-ink2">
          Only the first {formatBytes(MAX_SHOWN_BYTES)} are shown. Download the file for the rest.
        </p>
      )}
    </Delayed>
  );
}

async function readText(id: string, signal: AbortSignal): Promise<string> {
  const answer = await fetch(filePath(id), { signal, headers: { range: `bytes=0-${MAX_SHOWN_BYTES - 1}` } });
  // An empty file has no first byte.
  if (answer.status === 416) return "";
  if (!answer.ok) throw new Error(`the file was answered with ${answer.status}`);
  return answer.text();
}
