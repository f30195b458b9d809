import { filePath } from "@server/contract/files";
import type { File as UploadedFile } from "@server/contract/views";
import { Download } from "lucide-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { cn } from "@/lib/cn";
import { formatBytes } from "@/lib/format-bytes";
import { rowMark } from "@/lib/use-row-focus";
import { FileName } from "./file-name";
import { FileThumbnail } from "./file-thumbnail";
import { behindPicture, downloadPath, isViewable, kindOf } from "./uploaded-file";

const FileViewer = lazy(() => import("./file-viewer").then((module) => ({ default: module.FileViewer })));

/** The longest side of a picture in a list, in pixels. */
const MAX_WIDTH = 240;
const MAX_HEIGHT = 180;

type FileListProps<Shown extends UploadedFile> = {
  files: readonly Shown[];
  /** What the list is called: "Files", unless told. */
  label?: string | undefined;
  /** Beside each file: who sees it, or a button that removes it. */
  aside?: ((file: Shown) => ReactNode) | undefined;
  className?: string | undefined;
};

/** Files as they hang on something: pictures as pictures, all else by name. What the page can show opens over it. */
export function FileList<Shown extends UploadedFile>({
  files,
  label = "Files",
  aside,
  className,
}: FileListProps<Shown>) {
  const [shownId, setShownId] = useState<string | null>(null);
  const [wasOpened, setOpened] = useState(false);
  if (files.length === 0) return null;
  const viewable = files.filter(isViewable);
  const isPicture = (file: UploadedFile) => kindOf(file) === "image" && !aside;
  const hasPictures = files.some(isPicture);
  function open(id: string): void {
    setOpened(true);
    setShownId(id);
  }
  return (
    <>
      <ul aria-label={label} className={cn("flex min-w-0 flex-wrap gap-2", className)}>
        {files.map((file) => (
          <li
            key={file.id}
            {...rowMark(file.id)}
            className={cn(
              "flex min-w-0 max-w-full gap-1",
              aside ? "w-full items-center" : "items-start",
              // Beside a picture a name would leave a hole below it.
              hasPictures && !isPicture(file) && "w-full *:flex-initial",
            )}
          >
            {isPicture(file) ? (
              <Picture file={file} onOpen={() => open(file.id)} />
            ) : (
              <Row file={file} onOpen={isViewable(file) ? () => open(file.id) : null} />
            )}
            {aside?.(file)}
          </li>
        ))}
      </ul>
      {wasOpened && (
        <Suspense>
          <FileViewer files={viewable} shownId={shownId} onShow={setShownId} />
        </Suspense>
      )}
    </>
  );
}

/** The size is known before the picture: nothing moves when it comes. */
function Picture({ file, onOpen }: { file: UploadedFile; onOpen: () => void }) {
  const { width, height } = shownSize(file);
  return (
    <button
      type="button"
      aria-label={`Show ${file.name}`}
      onClick={onOpen}
      className={cn("block max-w-full overflow-hidden rounded-control border border-line", behindPicture(file))}
    >
      <img
        src={filePath(file.id, "thumbnail")}
        alt=""
        width={width}
        height={height}
        loading="lazy"
        decoding="async"
        className="h-auto max-w-full object-cover"
        style={{ aspectRatio: `${width} / ${height}` }}
      />
    </button>
  );
}

function Row({ file, onOpen }: { file: UploadedFile; onOpen: (() => void) | null }) {
  const { name, size } = file;
  const content = (
    <>
      <FileThumbnail file={file} />
      <span className="min-w-0 flex-1">
        <FileName name={name} className="text-dense" /> {/* Its name says both, as two words. */}
        <span className="block text-ink2 text-meta">{formatBytes(size)}</span>
      </span>
    </>
  );
  const look = "flex min-w-0 flex-1 items-center gap-2.5 rounded-control px-1.5 py-1 text-start";
  const frame = "flex min-w-0 max-w-full flex-1 items-center rounded-control border border-line bg-raised text-ink";
  const saving = { href: downloadPath(file), download: name, "aria-label": `Download ${name}` };
  if (!onOpen) {
    return (
      <a {...saving} className={cn(frame, "transition-colors duration-90 ease-out hover:bg-hover")}>
        <span className={look}>{content}</span>
        <span className="grid size-11 shrink-0 place-items-center text-ink2 pointer-fine:size-9">
          <Download size={18} />
        </span>
      </a>
    );
  }
  return (
    <span className={frame}>
      <button
        type="button"
        aria-label={`Show ${name}, ${formatBytes(size)}`}
        onClick={onOpen}
        className={cn(look, "transition-colors duration-90 ease-out hover:bg-hover")}
      >
        {content}
      </button>
      <a
        {...saving}
        className="grid size-11 shrink-0 place-items-center rounded-control text-ink2 hover:bg-hover hover:text-ink pointer-fine:size-9"
      >
        <Download size={18} />
      </a>
    </span>
  );
}

function shownSize({ width, height }: Pick<UploadedFile, "width" | "height">): { width: number; height: number } {
  const [w, h] = [Math.max(width ?? 1, 1), Math.max(height ?? 1, 1)];
  const scale = Math.min(1, MAX_WIDTH / w, MAX_HEIGHT / h);
  // A very flat picture can still be seen and pressed.
  return { width: Math.max(Math.round(w * scale), 44), height: Math.max(Math.round(h * scale), 44) };
}
