import { Paperclip } from "lucide-react";
import { type DragEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { cn } from "@/lib/cn";
import { IconButton } from "@/ui/icon-button";
import type { Uploads } from "./use-uploads";

type UploadAreaProps = {
  uploads: Uploads;
  /** Takes nothing, such as in a conversation that can only be read. */
  disabled?: boolean | undefined;
  className?: string | undefined;
  children: ReactNode;
};

/** Files can be dropped on everything inside, and pasted into every field inside. */
export function UploadArea({ uploads, disabled = false, className, children }: UploadAreaProps) {
  const [isOver, setOver] = useState(false);
  const depth = useRef(0);
  useEffect(() => (disabled ? undefined : keepPageOpen()), [disabled]);

  function enter(event: DragEvent, step: 1 | -1): void {
    if (!holdsFiles(event) || !isInside(event)) return;
    // The pointer enters each element inside before it leaves the one before.
    depth.current += step;
    setOver(depth.current > 0);
  }
  function drop(event: DragEvent): void {
    if (!holdsFiles(event) || !isInside(event)) return;
    event.preventDefault();
    depth.current = 0;
    setOver(false);
    uploads.add([...event.dataTransfer.files]);
  }
  if (disabled) {
    return (
      <div className={className}>
        {children}
        {/* In the place of the hint below: a field inside keeps the focus when the area closes. */}
        {null}
      </div>
    );
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut for the button "Attach files".
    <div
      className={cn("relative", className)}
      onDragEnter={(event) => enter(event, 1)}
      onDragLeave={(event) => enter(event, -1)}
      onDragOver={(event) => holdsFiles(event) && event.preventDefault()}
      onDrop={drop}
      onPaste={uploads.onPaste}
    >
      {children}
      {isOver && (
        <p className="pointer-events-none absolute inset-0 z-10 grid place-items-center rounded-card border-2 border-brand border-dashed bg-surface/90 font-medium text-body">
          Drop files to attach them
        </p>
      )}
    </div>
  );
}

type AttachButtonProps = {
  uploads: Uploads;
  /** What the button is called, where several stand on a page. */
  label?: string | undefined;
  /** In place of the icon button: gets what opens the choice. */
  render?: ((open: () => void) => ReactNode) | undefined;
};

/** Opens the system's choice of files. */
export function AttachButton({ uploads, label = "Attach files", render }: AttachButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  const open = () => input.current?.click();
  return (
    <>
      {render ? render(open) : <IconButton icon={Paperclip} label={label} onClick={open} />}
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={label}
        onChange={({ target }) => {
          uploads.add([...(target.files ?? [])]);
          // The same file can be chosen again after it was removed.
          target.value = "";
        }}
      />
    </>
  );
}

function holdsFiles({ dataTransfer }: DragEvent | globalThis.DragEvent): boolean {
  return dataTransfer?.types.includes("Files") ?? false;
}

/** What is dropped on a dialog that something inside has opened is not for the area below it. */
function isInside({ currentTarget, target }: DragEvent): boolean {
  return target instanceof Node && currentTarget.contains(target);
}

/** A file that is dropped beside the area would be opened in place of the page, and what was typed be lost. */
function keepPageOpen(): () => void {
  const refuse = (event: globalThis.DragEvent) => holdsFiles(event) && event.preventDefault();
  window.addEventListener("dragover", refuse);
  window.addEventListener("drop", refuse);
  return () => {
    window.removeEventListener("dragover", refuse);
    window.removeEventListener("drop", refuse);
  };
}
