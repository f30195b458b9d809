import { partsOf } from "@/lib/found-text";

/** A text with the words of a query in it marked: by weight and colour, since a ground would show behind the dots of a text that is cut off. */
export function MarkedText({ text, query }: { text: string; query: string }) {
  let at = 0;
  return partsOf(text, query).map((part) => {
    const key = at;
    at += part.text.length;
    return part.isFound ? (
      <mark key={key} className="bg-transparent font-semibold text-brand-text">
        {part.text}
      </mark>
    ) : (
      <span key={key}>{part.text}</span>
    );
  });
}
