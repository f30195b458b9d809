import { join } from "node:path";
import type { Env } from "../core/env";
import { createDiskStore } from "./disk-store";
import { createS3Store } from "./s3-store";
import type { FileStore } from "./store";

/** Where this server keeps uploaded files: in the bucket of S3_URL, else in the data folder. */
export function createFileStore({ s3Url, dataDir }: Pick<Env, "s3Url" | "dataDir">): FileStore {
  return s3Url === null ? createDiskStore(join(dataDir, "files")) : createS3Store(s3Url);
}

/** Where uploads are written until they are whole: on the disk of the store, where that is one. */
export function uploadFolderOf({ dataDir }: Pick<Env, "dataDir">): string {
  return join(dataDir, "uploads");
}
