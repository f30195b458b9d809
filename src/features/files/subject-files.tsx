import type { Visibility } from "@db/enums";
import type { Subject } from "@server/contract/subjects";
import type { ListedFile, Me, Project } from "@server/contract/views";
import { Paperclip, Trash2 } from "lucide-react";
import { type ReactNode, useId, useRef, useState } from "react";
import { useMe } from "@/features/auth/use-auth";
import type { PagedItems } from "@/lib/paged-list";
import { useUnsavedForm } from "@/lib/unsaved-forms";
import { useNextFocus } from "@/lib/use-next-focus";
import { rowAction, useRowFocus } from "@/lib/use-row-focus";
import { messageOf } from "@/lib/user-message";
import { Button } from "@/ui/button";
import { Chip } from "@/ui/chip";
import { Complaint } from "@/ui/complaint";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { Delayed } from "@/ui/delayed";
import { ErrorState } from "@/ui/error-state";
import { IconButton } from "@/ui/icon-button";
import { ShowMore } from "@/ui/paged-list";
import { Skeleton } from "@/ui/skeleton";
import { useLast } from "@/ui/use-last";
import { VISIBILITY_ICONS, VISIBILITY_LABELS, VisibilitySwitch } from "@/ui/visibility-switch";
import { FileList } from "./file-list";
import { readSubjectFiles, subjectFilesKey, writeSubjectFiles } from "./subject-files-draft";
import { AttachButton, UploadArea } from "./upload-area";
import { UploadList } from "./upload-list";
import { useAttachFiles, useFiles, useRemoveFile } from "./use-files";
import { type Uploads, useUploads } from "./use-uploads";

type SubjectFilesProps = {
  subject: Subject;
  project: Pick<Project, "clientCollaboration">;
  /** Of admins who look as that client: only to read. */
  asClientId?: string | undefined;
  /** As the other headings there; it has to have the id. */
  heading?: ((id: string) => ReactNode) | undefined;
  className?: string | undefined;
};

/** The files of a project or a task: those that are there, and more of them by choosing, dropping and pasting. */
export function SubjectFiles({
  subject,
  project,
  asClientId,
  heading = taskHeading,
  className = "mb-6",
}: SubjectFilesProps) {
  const me = useMe();
  const headingId = useId();
  const draftKey = subjectFilesKey(me.id, subject);
  const [chosen] = useState(() => readSubjectFiles(draftKey));
  const uploads = useUploads({
    uploaded: chosen,
    draftKey,
    onChange: (uploaded) => writeSubjectFiles(draftKey, uploaded),
  });
  const attachButton = useRef<HTMLButtonElement>(null);
  useNextFocus(isShown(uploads), attachButton);
  // The draft ends with the tab.
  useUnsavedForm(() => uploads.uploads.length > 0);
  const files = useFiles(subject, { asClientId });
  const isClientSight = me.accountType === "client" || asClientId !== undefined;
  const isOpen = !isClientSight || project.clientCollaboration;
  const mayAttach = isOpen && asClientId === undefined;
  if (!isOpen && files.items?.length === 0) return null;
  return (
    <section aria-labelledby={headingId} className={className}>
      <UploadArea uploads={uploads} disabled={!mayAttach}>
        <div className="mb-1 flex min-h-7 items-center justify-between gap-3">
          {heading(headingId)}
          {mayAttach && (
            <AttachButton
              uploads={uploads}
              render={(open) => (
                <Button ref={attachButton} variant="quiet" size="sm" icon={<Paperclip size={14} />} onClick={open}>
                  Attach files
                </Button>
              )}
            />
          )}
        </div>
        {files.error ? (
          <ErrorState message={messageOf(files.error)} onRetry={files.retry} busy={files.isRetrying} className="py-4" />
        ) : (
          <Delayed pending={!files.items} label="Loading files" skeleton={<Skeleton className="h-12 w-full" />}>
            <EarlierFiles list={files} />
            <AttachedFiles subject={subject} files={files.items ?? []} me={mayAttach ? me : null} />
          </Delayed>
        )}
        {mayAttach && <NewFiles subject={subject} uploads={uploads} draftKey={draftKey} />}
      </UploadArea>
    </section>
  );
}

/** Above the list, which ends with the newest. */
function EarlierFiles({ list }: { list: PagedItems<ListedFile> }) {
  return (
    <ShowMore
      list={list}
      label="Show earlier files"
      failure="The earlier files could not be loaded."
      size="sm"
      className="mb-2"
    />
  );
}

function taskHeading(id: string): ReactNode {
  return (
    <h3 id={id} className="font-medium font-sans text-dense text-ink2 tracking-normal">
      Files
    </h3>
  );
}

/** `me` is null for whoever only reads. */
function AttachedFiles({ subject, files, me }: { subject: Subject; files: readonly ListedFile[]; me: Me | null }) {
  const remove = useRemoveFile(subject);
  const [asked, setAsked] = useState<ListedFile | null>(null);
  const shown = useLast(asked, asked !== null);
  const place = useRef<HTMLDivElement>(null);
  const focusTarget = useRowFocus(place, { rows: files, fallback: () => place.current });
  return (
    <div ref={place} tabIndex={-1} className="outline-none">
      {files.length === 0 && <p className="text-dense text-ink2">No files yet</p>}
      <FileList
        files={files}
        aside={(file) => (
          <>
            {me && me.accountType !== "client" && file.visibility && (
              <Chip
                tone={file.visibility === "team" ? "grey" : "orange"}
                icon={VISIBILITY_ICONS[file.visibility]}
                label={VISIBILITY_LABELS[file.visibility]}
                className="max-sm:[&>svg]:hidden"
              />
            )}
            {me && !file.isOfRequest && (file.createdBy === me.id || me.accountType === "admin") && (
              <IconButton
                {...rowAction}
                icon={Trash2}
                size="sm"
                label={`Remove ${file.name}`}
                onClick={() => setAsked(file)}
              />
            )}
          </>
        )}
      />
      <ConfirmDialog
        open={asked !== null}
        onOpenChange={(open) => !open && setAsked(null)}
        title="Remove file"
        question="Remove this file for everyone? This cannot be undone."
        confirmLabel="Remove"
        busyLabel="Removing..."
        busy={remove.isPending}
        finalFocus={focusTarget}
        onConfirm={() => asked && remove.mutate({ fileId: asked.id }, { onSettled: () => setAsked(null) })}
      >
        <bdi className="font-medium">{shown?.name}</bdi>
      </ConfirmDialog>
    </div>
  );
}

/** Whether there is something to attach, or to say. */
function isShown({ uploads, complaint }: Uploads): boolean {
  return uploads.length > 0 || complaint !== null;
}

type NewFilesProps = { subject: Subject; uploads: Uploads; draftKey: string };

/** What was chosen and is not attached yet, and who will see it. Clients share with the team in any case. */
function NewFiles({ subject, uploads, draftKey }: NewFilesProps) {
  const isClient = useMe().accountType === "client";
  const [visibility, setVisibility] = useState<Visibility>("team");
  const [isRefused, setRefused] = useState(false);
  // What was chosen meanwhile stays. Also when the task was closed meanwhile, with nothing left that follows the uploads.
  const attach = useAttachFiles(subject, (fileIds) => {
    for (const { key, file } of uploads.read()) if (file && fileIds.includes(file.id)) uploads.remove(key);
    writeSubjectFiles(
      draftKey,
      readSubjectFiles(draftKey).filter(({ id }) => !fileIds.includes(id)),
    );
  });
  if (!isShown(uploads)) return null;
  function submit(): void {
    setRefused(uploads.obstacle !== null);
    if (uploads.obstacle !== null) return;
    const fileIds = uploads.files.map(({ id }) => id);
    attach.mutate({ subject, fileIds, visibility: isClient ? "client" : visibility });
  }
  return (
    <div className="mt-2 rounded-card border border-line bg-raised p-2">
      <UploadList uploads={uploads} sentIds={attach.isPending ? attach.variables.fileIds : undefined} />
      <Complaint className="mt-1.5">{isRefused && uploads.obstacle}</Complaint>
      <div className="mt-2 flex flex-wrap items-center justify-end gap-2">
        {!isClient && <VisibilitySwitch value={visibility} onChange={setVisibility} className="me-auto" />}
        <Button variant="quiet" aria-disabled={attach.isPending} onClick={uploads.clear}>
          Cancel
        </Button>
        <Button
          variant="primary"
          busy={attach.isPending}
          busyLabel="Attaching..."
          aria-disabled={uploads.uploads.length === 0}
          onClick={submit}
        >
          Attach
        </Button>
      </div>
    </div>
  );
}
