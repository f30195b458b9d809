import type { Readable } from "node:stream";

/** Where the bytes of files lie, each under a name made of their hash. */
export interface FileStore {
  /** Where it is, in words. */
  place: string;
  /** Takes over the file at `path`, under a name. What has that name already is the same, and counts as new from now on. */
  put(name: string, path: string): Promise<void>;
  /** The bytes, or those of a range, and how many there are of them. Null where there are none. */
  open(name: string, range?: ByteRange): Promise<{ content: Readable; size: number } | null>;
  has(name: string): Promise<boolean>;
  /** All that lies in it, in no order. */
  list(): AsyncIterable<StoredBytes>;
  /** What is not there is no error. */
  delete(name: string): Promise<void>;
  /** What says to which database it belongs; null for a new one. */
  readMarker(): Promise<string | null>;
  writeMarker(marker: string): Promise<void>;
}

/** Both included. */
export interface ByteRange {
  start: number;
  end: number;
}

interface StoredBytes {
  name: string;
  size: number;
  putAt: Date;
}

/** The name of the bytes with a hash. */
export function nameOf(hash: string): string {
  return `${hash.slice(0, 2)}/${hash}`;
}

/** The hash in a name; null for what is not ours, which is never removed. */
export function hashOf(name: string): string | null {
  return /^([0-9a-f]{2})\/(\1[0-9a-f]{62})$/.exec(name)?.[2] ?? null;
}
