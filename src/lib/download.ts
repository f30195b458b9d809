/** Hands the reader a file that the page holds. */
export function download(file: Blob, fileName: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = fileName;
  link.click();
  // The browser has the file by the next minute, whatever it asks its reader first.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
