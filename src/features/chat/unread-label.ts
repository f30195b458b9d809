/** A count of messages that wait, in words: "2 unread". */
export function unreadLabel(count: number): string {
  return `${count} unread`;
}
