/** Saves a file to the person's computer. */
export function download(file: Blob, fileName: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = fileName;
  link.click();
  // By then the browser has read the file, even if it asked where to save it.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Saves what an address of ours answers with. No navigation: a form with unsaved input does not ask about leaving. */
export function downloadFrom(address: string): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = "";
  link.click();
}
