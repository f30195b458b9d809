import { useEffect, useRef, useState } from "react";

const PAUSE_MS = 200;

/**
 * The words of a field that the address carries too. `write` (keep it the same between renders) hears them, trimmed, 200 ms
 * after the last key. What changes the address otherwise, such as Back, changes the field.
 */
export function useAddressText(
  inAddress: string,
  write: (text: string) => void,
): [text: string, setText: (text: string) => void] {
  const [text, setText] = useState(inAddress);
  const written = useRef(inAddress);

  useEffect(() => {
    if (inAddress === written.current) return;
    written.current = inAddress;
    setText(inAddress);
  }, [inAddress]);

  useEffect(() => {
    const wish = text.trim();
    if (wish === written.current.trim()) return undefined;
    const timer = setTimeout(() => {
      written.current = wish;
      write(wish);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, write]);

  return [text, setText];
}
