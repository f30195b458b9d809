import { useIsDrawing } from "@/lib/drawing";
import { formatDay, formatInstant, formatInstantLong } from "@/lib/format";
import { useToday } from "@/lib/use-today";

type MomentProps = {
  at: string;
  /** `formatInstantInText` within a sentence. */
  format?: (at: string) => string;
};

/** An instant where the reader is; the day alone until their browser has taken over what the server drew. */
export function Moment({ at, format = formatInstant }: MomentProps) {
  const isDrawing = useIsDrawing();
  useToday();
  return (
    <time dateTime={at} title={isDrawing ? undefined : formatInstantLong(at)} className="whitespace-nowrap">
      {isDrawing ? formatDay(at.slice(0, 10)) : format(at)}
    </time>
  );
}
