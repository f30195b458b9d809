import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { S3mini } from "s3mini";
import { streamOf } from "../core/downloads";
import type { FileStore } from "./store";

const PAGE = 1_000;
const MARKER = ".sangam-store";

/**
 * Files in a bucket of S3, or of what speaks like it: `https://KEY:SECRET@HOST/BUCKET/FOLDER?region=REGION`, with a folder where
 * several use one bucket. One request for each file: none is larger than S3 takes at once.
 */
export function createS3Store(url: string): FileStore {
  const { origin, pathname, username, password, searchParams } = new URL(url);
  const [bucket = "", ...folders] = pathname.split("/").filter((part) => part !== "");
  const s3 = new S3mini({
    accessKeyId: decodeURIComponent(username),
    secretAccessKey: decodeURIComponent(password),
    endpoint: `${origin}/${bucket}`,
    region: searchParams.get("region") ?? "us-east-1",
    // Node.js sends nothing that is still being read without it.
    fetch: (input, init) => fetch(input, { ...init, ...{ duplex: "half" } }),
  });
  const folder = folders.map((part) => `${part}/`).join("");
  const read = async (name: string, range?: { start: number; end: number }): Promise<Response | null> => {
    try {
      return await (range
        ? s3.getObjectRaw(`${folder}${name}`, false, range.start, range.end + 1)
        : s3.getObjectRaw(`${folder}${name}`));
    } catch (error) {
      if (error instanceof Error && "status" in error && error.status === 404) return null;
      throw error;
    }
  };
  return {
    place: `the bucket ${bucket}${folder && `, folder ${folder}`} of ${new URL(url).host}`,
    async put(name, path) {
      const { size } = await stat(path);
      const content = streamOf(createReadStream(path));
      await s3.putObject(`${folder}${name}`, content, "application/octet-stream", undefined, undefined, size);
    },
    async open(name, range) {
      const answer = await read(name, range);
      if (!answer?.body) return null;
      return { content: Readable.from(answer.body), size: Number(answer.headers.get("content-length")) };
    },
    has: async (name) => (await s3.objectExists(`${folder}${name}`)) === true,
    async *list() {
      for (let token: string | undefined; ; ) {
        const page = await s3.listObjectsPaged("/", folder, PAGE, token);
        for (const { Key, Size, LastModified } of page?.objects ?? []) {
          const name = Key.slice(folder.length);
          if (name !== MARKER) yield { name, size: Number(Size), putAt: new Date(LastModified) };
        }
        token = page?.nextContinuationToken;
        if (token === undefined) return;
      }
    },
    delete: async (name) => void (await s3.deleteObject(`${folder}${name}`)),
    readMarker: async () => (await (await read(MARKER))?.text()) ?? null,
    writeMarker: async (marker) => void (await s3.putObject(`${folder}${MARKER}`, marker)),
  };
}
