import { USER_MESSAGES } from "@server/contract/messages/users";
import { ImageUp } from "lucide-react";
import { useId, useRef, useState } from "react";
import { useMe } from "@/features/auth/use-auth";
import { UploadError, uploadFile } from "@/features/files/upload-file";
import { fieldErrorsOf, messageOf } from "@/lib/user-message";
import { announce } from "@/ui/announce";
import { Avatar } from "@/ui/avatar";
import { Button } from "@/ui/button";
import { Complaint } from "@/ui/complaint";
import { useSetPhoto } from "./use-settings";

/** What the server makes a picture of; the choice of files shows no others first. */
const TYPES = "image/jpeg,image/png,image/webp,image/gif,image/avif";

/** The person's own picture. It is saved as soon as it is uploaded. */
export function PhotoField() {
  const { displayName, profileImgLink } = useMe();
  const { busy, complaint, choose, remove } = usePhoto();
  const input = useRef<HTMLInputElement>(null);
  const upload = useRef<HTMLButtonElement>(null);
  const complaintId = useId();
  return (
    <div className="mb-5 flex items-start gap-4">
      <Avatar name={displayName} src={profileImgLink} size={64} />
      <div className="min-w-0 flex-1">
        <p className="font-medium text-dense">Picture</p>
        <div className="mt-1 flex flex-wrap items-center gap-2">
          <Button
            ref={upload}
            size="sm"
            icon={<ImageUp size={16} />}
            busy={busy === "upload"}
            busyLabel="Uploading..."
            aria-disabled={busy !== null}
            aria-describedby={complaint ? complaintId : undefined}
            onClick={() => input.current?.click()}
          >
            {profileImgLink === null ? "Upload Picture" : "Change Picture"}
          </Button>
          {profileImgLink !== null && (
            <Button
              size="sm"
              variant="quiet"
              busy={busy === "remove"}
              busyLabel="Removing..."
              aria-disabled={busy !== null}
              onClick={() => {
                // This button goes with the picture.
                upload.current?.focus();
                void remove();
              }}
            >
              Remove
            </Button>
          )}
        </div>
        <Complaint id={complaintId} className="mt-1.5">
          {complaint}
        </Complaint>
        <input
          ref={input}
          type="file"
          accept={TYPES}
          hidden
          aria-label="Picture"
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            if (file) void choose(file);
            // The same file can be chosen again after it was refused.
            target.value = "";
          }}
        />
      </div>
    </div>
  );
}

function usePhoto() {
  const setPhoto = useSetPhoto();
  const [busy, setBusy] = useState<"upload" | "remove" | null>(null);
  const [complaint, setComplaint] = useState<string | null>(null);
  async function run(kind: "upload" | "remove", findId: () => Promise<string | null>): Promise<void> {
    if (busy !== null) return;
    setBusy(kind);
    setComplaint(null);
    try {
      await setPhoto.mutateAsync({ fileId: await findId() });
      announce(kind === "upload" ? USER_MESSAGES.photoSaved : USER_MESSAGES.photoRemoved);
    } catch (error) {
      setComplaint(error instanceof UploadError ? error.message : (fieldErrorsOf(error).fileId ?? messageOf(error)));
    } finally {
      setBusy(null);
    }
  }
  return {
    busy,
    complaint,
    choose: (file: File) =>
      run("upload", async () => {
        const { signal } = new AbortController();
        return (await uploadFile(file, { onProgress: () => {}, signal })).id;
      }),
    remove: () => run("remove", async () => null),
  };
}
