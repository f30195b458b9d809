import type { LucideIcon } from "lucide-react";
import { useState } from "react";
import { cn } from "@/lib/cn";
import { initials } from "@/lib/format";

type AvatarProps = {
  /** Whose: gives the initials. */
  name: string;
  src?: string | null | undefined;
  /** In place of the initials, for what is no person. */
  icon?: LucideIcon | undefined;
  size?: 20 | 24 | 28 | 34 | 36 | 64 | undefined;
  /** Read out as an image with that name; otherwise decorative, as the name stands beside it. */
  isNamed?: boolean | undefined;
  className?: string | undefined;
};

const SIZES = {
  20: "size-5 rounded-[6px] text-meta tracking-tight",
  24: "size-6 rounded-[8px] text-meta tracking-tight",
  28: "size-7 rounded-[9px] text-meta tracking-tight",
  34: "size-[34px] rounded-avatar text-meta",
  36: "size-9 rounded-[11px] text-meta",
  64: "size-16 rounded-[18px] text-h3",
};

/** A squircle with an image, or up to two initials. */
export function Avatar({ name, src, icon: Icon, size = 28, isNamed = false, className }: AvatarProps) {
  const [failedSrc, setFailedSrc] = useState<string | null>(null);
  return (
    <span
      {...(isNamed ? { role: "img", "aria-label": name } : { "aria-hidden": true })}
      className={cn(
        "inline-grid shrink-0 select-none place-items-center overflow-hidden bg-grey-soft font-semibold text-grey",
        SIZES[size],
        className,
      )}
    >
      {src && src !== failedSrc ? (
        <img
          src={src}
          alt=""
          width={size}
          height={size}
          loading="lazy"
          decoding="async"
          referrerPolicy="no-referrer"
          // A face is rather above the middle. What lets through shows on both themes.
          className="size-full bg-behind-picture object-cover object-[50%_30%]"
          onError={() => setFailedSrc(src)}
        />
      ) : Icon ? (
        <Icon size={16} />
      ) : (
        initials(name)
      )}
    </span>
  );
}
