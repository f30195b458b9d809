import { composed, FILES_PATH, MAX_FILE_BYTES } from "@server/contract/files";
import { FILE_MESSAGES } from "@server/contract/messages/files";
import { GENERAL_MESSAGES } from "@server/contract/messages/general";
import { lineOf } from "@server/contract/shown-text";
import type { File as UploadedFile } from "@server/contract/views";
import { referenceText } from "@/lib/user-message";
import { isUploadedFile } from "./is-uploaded-file";

/** Nothing was sent for so long: the connection is gone. The server gives up after the same time. */
const SILENCE_MS = 60_000;
/** For the answer to what was sent: the server prepares one picture after the other, everybody's, for up to 50 s each. */
const ANSWER_MS = 300_000;

/** Why a file is not uploaded, in words for people. */
export class UploadError extends Error {
  override readonly name = "UploadError";
  /** Whether another try may succeed with the same file. */
  readonly canRetry: boolean;

  constructor(message: string, { canRetry }: { canRetry: boolean }) {
    super(message);
    this.canRetry = canRetry;
  }
}

/**
 * Sends a file to the server, where it is the person's alone until it is attached to something. `onProgress` receives the share that
 * was sent, 0 to 1. Rejects with an UploadError; when the signal ends it, with one that nobody has to see.
 */
export function uploadFile(
  file: File,
  { onProgress, signal }: { onProgress: (share: number) => void; signal: AbortSignal },
): Promise<UploadedFile> {
  return new Promise((resolve, reject) => {
    if (file.size > MAX_FILE_BYTES) throw new UploadError(FILE_MESSAGES.tooLarge, { canRetry: false });
    // fetch reports no progress of what is sent.
    const request = new XMLHttpRequest();
    const interrupt = () => reject(new UploadError(FILE_MESSAGES.interrupted, { canRetry: true }));
    const stop = () => request.abort();
    let silence: ReturnType<typeof setTimeout> | undefined;
    const listen = (timeoutMs: number) => {
      clearTimeout(silence);
      silence = setTimeout(stop, timeoutMs);
    };
    request.open("POST", `${FILES_PATH}?name=${encodeURIComponent(uploadNameOf(file))}`);
    request.setRequestHeader("content-type", "application/octet-stream");
    request.responseType = "json";
    request.upload.onprogress = ({ loaded, total }) => {
      listen(SILENCE_MS);
      onProgress(total > 0 ? loaded / total : 1);
    };
    request.upload.onload = () => listen(ANSWER_MS);
    request.onload = () => {
      const { status, response } = request;
      if (status === 200 && isUploadedFile(response)) resolve(response);
      else reject(refusalOf(status, response));
    };
    request.onerror = interrupt;
    request.onabort = interrupt;
    request.onloadend = () => {
      clearTimeout(silence);
      signal.removeEventListener("abort", stop);
    };
    signal.addEventListener("abort", stop);
    listen(SILENCE_MS);
    request.send(file);
    if (signal.aborted) stop();
  });
}

/** What a file will be called: without what a line does not hold. Pasted pictures have the same name each time, and some have none. */
export function uploadNameOf({ name: given, type, lastModified }: File): string {
  const name = lineOf(composed(given));
  if (name !== "" && name !== "image.png") return name;
  const [, kind = "bin"] = /^\w+\/(\w+)/.exec(type) ?? [];
  // Where the reader is: "2026-11-29 17:20:05".
  const [day = "", time = ""] = new Date(lastModified).toLocaleString("sv-SE").split(" ");
  return `pasted-${day}-${time.replaceAll(":", "")}.${kind}`;
}

function refusalOf(status: number, response: unknown): UploadError {
  const answer: { message?: unknown; requestId?: unknown } = typeof response === "object" ? { ...response } : {};
  const canRetry = status === 409 || status === 429 || status >= 500;
  // What a proxy answers in the server's place is no JSON.
  if (typeof answer.message !== "string") {
    return status === 413
      ? new UploadError(FILE_MESSAGES.tooLarge, { canRetry: false })
      : new UploadError(GENERAL_MESSAGES.unreachable, { canRetry: true });
  }
  const reference = status >= 500 && typeof answer.requestId === "string" ? ` ${referenceText(answer.requestId)}` : "";
  return new UploadError(answer.message + reference, { canRetry });
}
