import { filePath } from "@server/contract/files";
import { FILE_MESSAGES } from "@server/contract/messages/files";
import type { File as UploadedFile } from "@server/contract/views";
import { useQuery } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight, Download, ZoomIn } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { cn } from "@/lib/cn";
import { formatDate } from "@/lib/format";
import { formatBytes } from "@/lib/format-bytes";
import { buttonStyle } from "@/ui/button-style";
import { Delayed } from "@/ui/delayed";
import { Dialog } from "@/ui/dialog";
import { ErrorState } from "@/ui/error-state";
import { IconButton } from "@/ui/icon-button";
import { Skeleton } from "@/ui/skeleton";
import { useLast } from "@/ui/use-last";
import { behindPicture, downloadPath, kindOf } from "./uploaded-file";

/** More of a text is for an editor. */
const MAX_SHOWN_BYTES = 256_000;

/** What is left of the dialog between its head and its foot, each of one line. */
const SHOWN_HEIGHT = "max-h-[max(50dvh,100dvh-184px)] sm:max-h-[max(40dvh,88dvh-180px)]";

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
  const [zoomedId, setZoomedId] = useState<string | null>(null);
  const isZoomed = file !== null && zoomedId === file.id;
  // In a picture at its full size they scroll.
  useArrows(found !== undefined && !isZoomed, go);
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
            {kindOf(file) === "image" && (
              <IconButton
                icon={ZoomIn}
                label="Full size"
                pressed={isZoomed}
                onClick={() => setZoomedId(isZoomed ? null : file.id)}
                className="aria-pressed:bg-hover aria-pressed:text-ink"
              />
            )}
            <a href={downloadPath(file)} download={file.name} className={buttonStyle({ variant: "secondary" })}>
              <Download size={16} />
              Download
            </a>
          </>
        )
      }
    >
      {file && <Preview key={file.id} file={file} isZoomed={isZoomed} />}
    </Dialog>
  );
}

/** Wherever in the dialog the focus is: it keeps arrow keys from what is around it. */
function useArrows(isOn: boolean, go: (step: 1 | -1) => void): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    // With these they go back and forward in the browser.
    if (event.altKey || event.metaKey || event.ctrlKey || event.shiftKey) return;
    if (event.key === "ArrowLeft") go(-1);
    if (event.key === "ArrowRight") go(1);
  });
  useEffect(() => {
    if (!isOn) return undefined;
    const listen = (event: KeyboardEvent) => onKeyDown(event);
    window.addEventListener("keydown", listen, { capture: true });
    return () => window.removeEventListener("keydown", listen, { capture: true });
  }, [isOn]);
}

function Preview({ file, isZoomed }: { file: UploadedFile; isZoomed: boolean }) {
  switch (kindOf(file)) {
    case "image":
      return <Picture file={file} isZoomed={isZoomed} />;
    case "pdf":
      return (
        <iframe
          src={filePath(file.id, "preview")}
          title={file.name}
          className="block h-[max(50dvh,100dvh-184px)] w-full sm:h-[max(40dvh,88dvh-180px)] rounded-control border border-line bg-sunken"
        />
      );
    default:
      return <Text file={file} />;
  }
}

function Picture({ file, isZoomed }: { file: UploadedFile; isZoomed: boolean }) {
  const { id, name, width, height } = file;
  // Some kinds only other programs read: of them there is the thumbnail, which the server made.
  const [failures, setFailures] = useState(0);
  if (failures > 1) return <ErrorState message={FILE_MESSAGES.notFound} />;
  const picture = (
    <img
      src={filePath(id, failures === 0 ? undefined : "thumbnail")}
      alt={name}
      width={width ?? undefined}
      height={height ?? undefined}
      className={cn(
        "mx-auto block rounded-control",
        isZoomed ? "max-w-none" : cn("h-auto w-auto max-w-full object-contain", SHOWN_HEIGHT),
        behindPicture(file),
      )}
      onError={() => setFailures(failures + 1)}
    />
  );
  return (
    <>
      {isZoomed ? (
        <section
          // It scrolls, so that the keyboard has to reach it.
          // biome-ignore lint/a11y/noNoninteractiveTabindex: see above.
          tabIndex={0}
          aria-label={name}
          className={cn("overflow-auto", SHOWN_HEIGHT)}
        >
          {picture}
        </section>
      ) : (
        picture
      )}
      {failures > 0 && (
        <p className="mt-2 text-center text-dense text-ink2">
          This browser can't show the picture itself. Download it to see all of it.
        </p>
      )}
    </>
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
        className={cn("overflow-auto rounded-control border border-line bg-sunken p-3", SHOWN_HEIGHT)}
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
