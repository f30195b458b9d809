import { useEffect, useRef, useState } from "react";

const PAUSE_MS = 200;

/**
 * A text field that is mirrored in the address. `write` (must be stable between renders) receives the trimmed text 200 ms
 * after the last key. Other changes of the address, such as Back, update the field.
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
