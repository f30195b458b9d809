import { useIsDrawing } from "@/lib/drawing";
import { formatDay, formatInstantInText, formatInstantLong } from "@/lib/format";
import { useToday } from "@/lib/use-today";

/** An instant within a sentence; the day alone until the browser has taken over what the server drew. */
export function Since({ at }: { at: string }) {
  const isDrawing = useIsDrawing();
  useToday();
  return (
    <time dateTime={at} title={isDrawing ? undefined : formatInstantLong(at)} className="whitespace-nowrap">
      {isDrawing ? formatDay(at.slice(0, 10)) : formatInstantInText(at)}
    </time>
  );
}
