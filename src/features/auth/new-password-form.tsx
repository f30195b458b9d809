import { CREDENTIAL_MESSAGES } from "@server/contract/messages/credentials";
import { PASSWORD_MESSAGES } from "@server/contract/messages/passwords";
import { Check } from "lucide-react";
import { type FormEvent, type ReactNode, useRef, useState } from "react";
import { fieldErrorsOf, reasonOf } from "@/lib/user-message";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { InlineAlert } from "@/ui/inline-alert";
import { PasswordInput } from "@/ui/password-input";
import { Steady } from "@/ui/steady";
import type { TermsCheckbox } from "./terms-checkbox";

const SHORTEST = 6;
const MAX_LENGTH = 128;

type Complaints = {
  password?: string | undefined;
  confirmPassword?: string | undefined;
  agreeToTerms?: string | undefined;
};
type Passwords = { password: string; confirmPassword: string };
type NewPasswordFormProps = {
  save: { reset: () => void; error: unknown; isPending: boolean; isSuccess: boolean };
  onSubmit: (passwords: Passwords) => void;
  submitLabel: string;
  /** Above the form when the link no longer works. */
  deadLink: ReactNode;
  /** Above the form after any other failure. */
  outcome: (error: unknown) => ReactNode;
  /** Asks to accept the terms. Given by the page that asks: this form is in the first load of /login. */
  Terms?: typeof TermsCheckbox;
};

/** A new password, twice. Keeps what is typed when the server refuses it. */
export function NewPasswordForm({ save, onSubmit, submitLabel, deadLink, outcome, Terms }: NewPasswordFormProps) {
  const [typed, setTyped] = useState({ password: "", confirmPassword: "", agreeToTerms: !Terms });
  const [found, setFound] = useState<Complaints>({});
  const [isShown, setShown] = useState(false);
  const password = useRef<HTMLInputElement>(null);
  const confirm = useRef<HTMLInputElement>(null);
  const terms = useRef<HTMLInputElement>(null);
  const refused = fieldErrorsOf(save.error);
  const isDead = refused.token !== undefined || reasonOf(save.error) === "link-expired";
  const complaints = { ...pick(refused), ...found };
  const isMet = lengthOf(typed.password) >= SHORTEST;

  function submit(event: FormEvent): void {
    event.preventDefault();
    const next = complaintsAbout(typed);
    setFound(next);
    save.reset();
    if (next.password) password.current?.focus();
    else if (next.confirmPassword) confirm.current?.focus();
    else if (next.agreeToTerms) terms.current?.focus();
    else onSubmit({ password: typed.password, confirmPassword: typed.confirmPassword });
  }

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <Steady>
        {isDead ? (
          <InlineAlert tone="red">{deadLink}</InlineAlert>
        ) : (
          save.error !== null && !complaints.password && !complaints.confirmPassword && outcome(save.error)
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
              {PASSWORD_MESSAGES.passwordTooShort}
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
      {Terms && (
        <Terms
          ref={terms}
          checked={typed.agreeToTerms}
          error={complaints.agreeToTerms}
          onChange={({ target }) => {
            setTyped({ ...typed, agreeToTerms: target.checked });
            setFound({ ...found, agreeToTerms: undefined });
          }}
        />
      )}
      <Button
        type="submit"
        variant="primary"
        size="lg"
        wide
        busy={save.isPending || save.isSuccess}
        busyLabel="Saving..."
        className="mt-1"
      >
        {submitLabel}
      </Button>
    </form>
  );
}

/** The server's rules, written out: the schema library would be a fifth of this page's code. */
function complaintsAbout(typed: Passwords & { agreeToTerms: boolean }): Complaints {
  const { password, confirmPassword, agreeToTerms } = typed;
  const found: Complaints = {};
  if (lengthOf(password) < SHORTEST) found.password = PASSWORD_MESSAGES.passwordTooShort;
  else if (lengthOf(password) > MAX_LENGTH) found.password = PASSWORD_MESSAGES.passwordTooLong;
  if (password !== confirmPassword) found.confirmPassword = PASSWORD_MESSAGES.passwordsDiffer;
  if (!agreeToTerms) found.agreeToTerms = CREDENTIAL_MESSAGES.termsRequired;
  return found;
}

function pick({ password, confirmPassword }: Record<string, string>): Complaints {
  return { password, confirmPassword };
}

/** In code points, as the server counts. */
function lengthOf(text: string): number {
  return [...text].length;
}
