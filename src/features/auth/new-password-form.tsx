import { AUTH_MESSAGES } from "@server/contract/messages/auth";
import { Check } from "lucide-react";
import { type FormEvent, useRef, useState } from "react";
import { fieldErrorsOf, reasonOf } from "@/lib/user-message";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { InlineAlert } from "@/ui/inline-alert";
import { PasswordInput } from "@/ui/password-input";
import { Steady } from "@/ui/steady";
import { ResetOutcome } from "./login-outcome";
import { useResetPassword } from "./use-auth";

const SHORTEST = 6;
const MAX_LENGTH = 128;

type Complaints = { password?: string | undefined; confirmPassword?: string | undefined };
type NewPasswordFormProps = { token: string; onAskForNewLink: () => void };

/** A new password, twice. Keeps what is typed when the server refuses it. */
export function NewPasswordForm({ token, onAskForNewLink }: NewPasswordFormProps) {
  const reset = useResetPassword();
  const [typed, setTyped] = useState({ password: "", confirmPassword: "" });
  const [found, setFound] = useState<Complaints>({});
  const [isShown, setShown] = useState(false);
  const password = useRef<HTMLInputElement>(null);
  const confirm = useRef<HTMLInputElement>(null);
  const refused = fieldErrorsOf(reset.error);
  const isDead = refused.token !== undefined || reasonOf(reset.error) === "link-expired";
  const complaints = { ...pick(refused), ...found };
  const isMet = lengthOf(typed.password) >= SHORTEST;

  function submit(event: FormEvent): void {
    event.preventDefault();
    const next = complaintsAbout(typed);
    setFound(next);
    reset.reset();
    if (next.password) password.current?.focus();
    else if (next.confirmPassword) confirm.current?.focus();
    else reset.mutate({ token, ...typed });
  }

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <Steady>
        {isDead ? (
          <InlineAlert tone="red">
            <p>{AUTH_MESSAGES.resetLinkDead}</p>
            <Button size="sm" className="mt-2.5" onClick={onAskForNewLink}>
              Request a new link
            </Button>
          </InlineAlert>
        ) : (
          reset.error && !complaints.password && !complaints.confirmPassword && <ResetOutcome error={reset.error} />
        )}
      </Steady>
      <Field
        label="New password"
        required
        error={complaints.password}
        hint={
          !complaints.password && (
            <span className="flex items-center gap-1.5">
              {isMet && <Check size={14} className="text-green" />}
              {AUTH_MESSAGES.passwordTooShort}
            </span>
          )
        }
      >
        <PasswordInput
          ref={password}
          autoComplete="new-password"
          shown={isShown}
          onShownChange={setShown}
          value={typed.password}
          onChange={({ target }) => {
            setTyped({ ...typed, password: target.value });
            setFound({});
          }}
        />
      </Field>
      <Field label="Confirm password" required error={complaints.confirmPassword}>
        <PasswordInput
          ref={confirm}
          autoComplete="new-password"
          shown={isShown}
          value={typed.confirmPassword}
          onChange={({ target }) => {
            setTyped({ ...typed, confirmPassword: target.value });
            setFound({ ...found, confirmPassword: undefined });
          }}
          onBlur={() => {
            const { confirmPassword } = complaintsAbout(typed);
            if (typed.confirmPassword !== "" && confirmPassword) setFound({ ...found, confirmPassword });
          }}
        />
      </Field>
      <Button
        type="submit"
        variant="primary"
        size="lg"
        wide
        busy={reset.isPending || reset.isSuccess}
        busyLabel="Saving..."
        className="mt-1"
      >
        Set new password
      </Button>
    </form>
  );
}

/** The server's rules, written out: the schema library would be a fifth of this page's code. */
function complaintsAbout({ password, confirmPassword }: { password: string; confirmPassword: string }): Complaints {
  const found: Complaints = {};
  if (lengthOf(password) < SHORTEST) found.password = AUTH_MESSAGES.passwordTooShort;
  else if (lengthOf(password) > MAX_LENGTH) found.password = AUTH_MESSAGES.passwordTooLong;
  if (password !== confirmPassword) found.confirmPassword = AUTH_MESSAGES.passwordsDiffer;
  return found;
}

function pick({ password, confirmPassword }: Record<string, string>): Complaints {
  return { password, confirmPassword };
}

/** In code points, as the server counts. */
function lengthOf(text: string): number {
  return [...text].length;
}
