/*
 * Where the box of unsent messages is, apart from what is in it: every page looks whether there is anything to send, and only
 * then fetches the code that sends.
 */

/** What the storage keys of a person's unsent messages begin with; the message's `clientMessageId` follows. */
export function outboxPrefix(ownId: string): string {
  return `outbox:${ownId}:`;
}

/** Whether this browser keeps anything of that person that the server has not acknowledged. */
export function holdsUnsent(ownId: string): boolean {
  try {
    return Object.keys(localStorage).some((key) => key.startsWith(outboxPrefix(ownId)));
  } catch {
    return false;
  }
}

/** Tells when another tab has put something into that person's box, or changed or taken something. Returns how to stop. */
export function onOtherTabsUnsent(ownId: string, listener: () => void): () => void {
  function follow({ key }: StorageEvent): void {
    // A null key means that the other tab cleared the whole storage.
    if (key === null || key.startsWith(outboxPrefix(ownId))) listener();
  }
  window.addEventListener("storage", follow);
  return () => window.removeEventListener("storage", follow);
}
