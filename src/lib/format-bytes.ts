/**
 * A size for people: "820 kB", "4.2 MB", "1.3 GB", of 1,000 bytes.
 *
 * A file of its own: the first pages, which have all of `format`, show no sizes.
 */
export function formatBytes(bytes: number): string {
  if (bytes < 1e6) return `${Math.ceil(bytes / 1e3)} kB`;
  const [size, unit] = bytes < 1e9 ? [bytes / 1e6, "MB"] : [bytes / 1e9, "GB"];
  return `${size.toFixed(size < 100 ? 1 : 0)} ${unit}`;
}
