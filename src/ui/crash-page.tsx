import { CircleAlert } from "lucide-react";
import { referenceOf } from "@/lib/user-message";
import { Button } from "./button";

/**
 * What is left when a page could not be drawn or its code could not be fetched: says so, with what to tell support where the server
 * failed, and offers to load it anew.
 */
export function CrashPage({ error }: { error: unknown }) {
  const reference = referenceOf(error);
  return (
    <main className="grid min-h-dvh place-items-center px-4 py-16">
      <div role="alert" className="flex max-w-[44ch] flex-col items-center gap-4 text-center">
        <CircleAlert size={20} className="text-red" />
        <h1 tabIndex={-1} className="text-h1">
          This page could not be shown
        </h1>
        <p className="text-ink2">
          Something went wrong, or a newer version of the app has just been installed. Loading the page again usually
          helps.
        </p>
        {reference && <p className="text-meta text-ink2 select-all">{reference}</p>}
        <Button variant="primary" onClick={() => location.reload()}>
          Reload
        </Button>
      </div>
    </main>
  );
}
