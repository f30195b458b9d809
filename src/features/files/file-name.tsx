import { cn } from "@/lib/cn";

/** What kind of file it is, with a little before it; all of ASCII, so that no letter is parted from its marks. */
const END = /[\w ()-]{0,6}\.\w{1,8}$/;
/** Shorter names have room everywhere. */
const MAX_WHOLE = 20;

/** A file's name in one line. Where it is too long its middle is cut: the end says what kind of file it is. */
export function FileName({ name, className }: { name: string; className?: string }) {
  const [end = ""] = (name.length > MAX_WHOLE && END.exec(name)) || [];
  return (
    <bdi className={cn("flex min-w-0 whitespace-pre", className)}>
      <span className="truncate">{name.slice(0, name.length - end.length)}</span>
      {end !== "" && <span className="shrink-0">{end}</span>}
    </bdi>
  );
}
