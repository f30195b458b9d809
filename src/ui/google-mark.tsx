import { cn } from "@/lib/cn";

type GoogleMarkProps = { className?: string };

/** Google's mark in its own colours. Decorative, so put the words beside it. */
export function GoogleMark({ className }: GoogleMarkProps) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className={cn("size-[18px] shrink-0", className)}>
      <path
        fill="#4285f4"
        d="M23.5 12.27c0-.82-.07-1.6-.21-2.35H12v4.45h6.45a5.52 5.52 0 0 1-2.39 3.62v3h3.87c2.26-2.09 3.57-5.16 3.57-8.72Z"
      />
      <path
        fill="#34a853"
        d="M12 24c3.24 0 5.95-1.07 7.93-2.91l-3.87-3c-1.07.72-2.45 1.15-4.06 1.15-3.12 0-5.77-2.11-6.71-4.95h-4v3.1A12 12 0 0 0 12 24Z"
      />
      <path fill="#fbbc05" d="M5.29 14.29a7.2 7.2 0 0 1 0-4.58v-3.1h-4a12 12 0 0 0 0 10.78l4-3.1Z" />
      <path
        fill="#ea4335"
        d="M12 4.76c1.76 0 3.34.61 4.58 1.79l3.43-3.43A11.5 11.5 0 0 0 12 0 12 12 0 0 0 1.29 6.61l4 3.1C6.23 6.87 8.88 4.76 12 4.76Z"
      />
    </svg>
  );
}
