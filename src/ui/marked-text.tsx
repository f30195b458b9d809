import { partsOf } from "@/lib/found-text";

/** A text with the words of a query in it marked. It reads as the text does. */
export function MarkedText({ text, query }: { text: string; query: string }) {
  let at = 0;
  return partsOf(text, query).map((part) => {
    const key = at;
    at += part.text.length;
    return part.isFound ? (
      <mark key={key} className="rounded-[3px] bg-brand-soft text-brand-text">
        {part.text}
      </mark>
    ) : (
      <span key={key}>{part.text}</span>
    );
  });
}
