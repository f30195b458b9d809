import { filePath } from "@server/contract/files";
import type { File as UploadedFile } from "@server/contract/views";
import { File, FileImage, FileText, type LucideIcon } from "lucide-react";
import { useState } from "react";
import { type FileKind, kindOf } from "./uploaded-file";

const ICONS: Record<FileKind, LucideIcon> = { image: FileImage, pdf: FileText, text: FileText, other: File };

/** A small square: the picture, or what kind of file it is; null for one that is still on its way. Decorative: the name stands beside it. */
export function FileThumbnail({ file }: { file: UploadedFile | null }) {
  const [hasFailed, setFailed] = useState(false);
  const kind = file ? kindOf(file) : "other";
  const Icon = ICONS[kind];
  return (
    <span
      aria-hidden="true"
      className="grid size-9 shrink-0 place-items-center overflow-hidden rounded-[6px] bg-grey-soft text-grey"
    >
      {file && kind === "image" && !hasFailed ? (
        <img
          src={filePath(file.id, "thumbnail")}
          alt=""
          width={36}
          height={36}
          loading="lazy"
          decoding="async"
          className="size-full object-cover"
          onError={() => setFailed(true)}
        />
      ) : (
        <Icon size={18} />
      )}
    </span>
  );
}
