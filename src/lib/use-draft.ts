import { useEffect, useMemo, useRef } from "react";
import { readDraft, watchDraft, writeDraft } from "./session-draft";

type DraftOptions<Draft> = {
  key: string;
  /** The same function at each call. */
  parse: (kept: unknown) => Draft | null;
  /** Another form has written this draft, or forgotten it (null). */
  onOther: (draft: Draft | null) => void;
};

/** A form's words in this tab's storage, shared with every other form that has the same key. */
export function useDraft<Draft extends object>({ key, parse, onOther }: DraftOptions<Draft>) {
  const latest = useRef(onOther);
  useEffect(() => {
    latest.current = onOther;
  });
  const draft = useMemo(() => {
    const writer = {};
    const read = () => readDraft(key, parse);
    return {
      read,
      /** Null forgets it. */
      write: (next: Draft | null) => writeDraft(key, next, writer),
      watch: (onChange: (next: Draft | null) => void) => watchDraft(key, { writer, onChange: () => onChange(read()) }),
    };
  }, [key, parse]);
  useEffect(() => draft.watch((next) => latest.current(next)), [draft]);
  return draft;
}
