/** Of every answer of a procedure: a cursor from before anything was read for it. */
export const LIVE_CURSOR_HEADER = "x-live-cursor";

/** The first event of a stream that was opened with a cursor: whether all changes since are among the events that follow. */
export interface ResumeEvent {
  type: "resumed" | "resync";
}

/** Whether an event is the answer to the cursor that a subscription began with. */
export function isResume<Event>(event: Event | ResumeEvent): event is ResumeEvent {
  const type = typeof event === "object" && event !== null && "type" in event ? event.type : null;
  return type === "resumed" || type === "resync";
}

/** A moment of one server process, by that process's own clock. */
interface LiveCursor {
  processId: string;
  atMs: number;
}

/** A cursor as it travels. */
export function formatLiveCursor({ processId, atMs }: LiveCursor): string {
  return `${processId}.${Math.floor(atMs)}`;
}

/** Null for a text that no process has made. */
export function parseLiveCursor(text: string): LiveCursor | null {
  const [, processId, atMs] = /^([0-9a-f-]{36})\.(\d{1,15})$/.exec(text) ?? [];
  return processId === undefined ? null : { processId, atMs: Number(atMs) };
}
