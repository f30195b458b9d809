import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { inflateSync } from "node:zlib";

/** Latin, Greek, Cyrillic and Devanagari, with their currencies. */
export const REGULAR = "@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf";
export const BOLD = "@expo-google-fonts/noto-sans/600SemiBold/NotoSans_600SemiBold.ttf";
/** Emoji in one colour, 0.9 MB: flags and families are one sign. */
export const EMOJI = "@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf";
/** Every other script, arrows and signs: plain, but readable. */
const FALLBACK = "@fontsource/unifont/files/unifont-latin-400-normal.woff";

/** From the build, which has them beside its programs, or from the package. */
export function fontPath(file: string): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const name = file.slice(file.lastIndexOf("/") + 1);
  const built = [join(here, "fonts", name), join(here, "..", "fonts", name)].find(existsSync);
  return built ?? createRequire(import.meta.url).resolve(file);
}

/** As a TrueType font: pdfkit would unpack a WOFF anew with each letter, some 20 s for one page. */
export function readFallback(): Buffer {
  return unpackWoff(readFileSync(fontPath(FALLBACK)));
}

const WOFF_HEADER_BYTES = 44;
const WOFF_ENTRY_BYTES = 20;
const SFNT_HEADER_BYTES = 12;
const SFNT_ENTRY_BYTES = 16;

/** The tables of a WOFF 1.0 file, unpacked, as a TrueType file holds them. https://www.w3.org/TR/WOFF/ */
function unpackWoff(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12);
  const tables = Array.from({ length: count }, (_, at) => {
    const entry = WOFF_HEADER_BYTES + at * WOFF_ENTRY_BYTES;
    const [offset, packed, length] = [4, 8, 12].map((place) => woff.readUInt32BE(entry + place));
    const bytes = woff.subarray(offset, (offset ?? 0) + (packed ?? 0));
    const content = packed === length ? bytes : inflateSync(bytes);
    return { tag: woff.subarray(entry, entry + 4), checksum: woff.readUInt32BE(entry + 16), content };
  });
  const head = Buffer.alloc(SFNT_HEADER_BYTES + count * SFNT_ENTRY_BYTES);
  woff.copy(head, 0, 4, 8);
  const power = Math.floor(Math.log2(count));
  head.writeUInt16BE(count, 4);
  head.writeUInt16BE(2 ** power * 16, 6);
  head.writeUInt16BE(power, 8);
  head.writeUInt16BE(count * 16 - 2 ** power * 16, 10);
  const parts: Uint8Array[] = [head];
  let offset = head.length;
  for (const [at, { tag, checksum, content }] of tables.entries()) {
    const entry = SFNT_HEADER_BYTES + at * SFNT_ENTRY_BYTES;
    tag.copy(head, entry);
    head.writeUInt32BE(checksum, entry + 4);
    head.writeUInt32BE(offset, entry + 8);
    head.writeUInt32BE(content.length, entry + 12);
    const padding = Buffer.alloc((4 - (content.length % 4)) % 4);
    parts.push(content, padding);
    offset += content.length + padding.length;
  }
  return Buffer.concat(parts);
}
