import { Link } from "@tanstack/react-router";
import type { MouseEvent } from "react";
import { Spinner } from "@/ui/spinner";
import { authLink } from "./auth-layout";

type ForgotPasswordLinkProps = { busy: boolean; onSend: () => void };

/** A click requests the email for the address typed above; opened in a new tab, the link leads to /reset-password. */
export function ForgotPasswordLink({ busy, onSend }: ForgotPasswordLinkProps) {
  function send(event: MouseEvent): void {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (!busy) onSend();
  }
  return (
    <Link
      to="/reset-password"
      preload={false}
      aria-disabled={busy}
      onClick={send}
      className={`grid min-h-11 items-center pointer-fine:min-h-8 ${authLink}`}
    >
      <span className={busy ? "invisible col-start-1 row-start-1" : "col-start-1 row-start-1"}>Forgot Password</span>
      {busy && (
        <span className="col-start-1 row-start-1 inline-flex items-center justify-end gap-2">
          <Spinner />
          Sending...
        </span>
      )}
    </Link>
  );
}
