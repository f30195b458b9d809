import type { SignIn } from "@server/contract/accounts";
import { AUTH_MESSAGES } from "@server/contract/messages/auth";
import { type FormEvent, type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { Button } from "@/ui/button";
import { Checkbox } from "@/ui/checkbox";
import { Field } from "@/ui/field";
import { PasswordInput } from "@/ui/password-input";
import { Steady } from "@/ui/steady";
import { TextInput } from "@/ui/text-input";
import { authLink } from "./auth-layout";
import { SignInRefusal } from "./login-outcome";
import { useSignInAgain } from "./use-auth";

type SignInAgainProps = { email: string };

/**
 * Opens over everything, dialogs included: the browser's native modal is above every layer and leaves them unchanged. It covers
 * the page, since nobody is signed in to see it. Cancel gives the page up; Escape does nothing.
 */
export function SignInAgain({ email }: SignInAgainProps) {
  const { signIn, leave } = useSignInAgain();
  const titleId = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const password = useRef<HTMLInputElement>(null);
  const [isBlank, setBlank] = useState(false);

  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    password.current?.focus();
    // Closing it while it is in the document returns the focus.
    return () => shown?.close();
  }, []);

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const typed = password.current?.value ?? "";
    setBlank(typed === "");
    signIn.reset();
    const refocus = () => password.current?.focus();
    if (typed === "") refocus();
    else {
      const rememberMe = new FormData(event.currentTarget).has("rememberMe" satisfies keyof SignIn);
      signIn.mutate({ email, password: typed, rememberMe }, { onError: refocus });
    }
  }
  function keepToItself(event: KeyboardEvent): void {
    // The layers below listen for keys on the document.
    event.stopPropagation();
    if (event.key === "Escape") event.preventDefault();
  }

  return createPortal(
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onKeyDown={keepToItself}
      onCancel={(event) => event.preventDefault()}
      className="m-auto w-[calc(100%-32px)] max-w-[420px] rounded-dialog bg-surface p-6 text-ink shadow-3 backdrop:bg-canvas"
    >
      <h2 id={titleId} className="text-h3">
        Sign in again
      </h2>
      <p className="mt-2 text-ink2">{AUTH_MESSAGES.signInAgain}</p>
      <form noValidate onSubmit={submit} className="mt-4 flex flex-col gap-4">
        <Steady>{signIn.error && <SignInRefusal error={signIn.error} />}</Steady>
        <Field label="Email">
          <TextInput type="email" name="email" autoComplete="username" value={email} readOnly />
        </Field>
        <Field label="Password" required error={isBlank ? AUTH_MESSAGES.passwordRequired : undefined}>
          <PasswordInput ref={password} name="password" autoComplete="current-password" />
        </Field>
        <Checkbox name="rememberMe" label="Remember me" />
        <p className="text-dense text-ink2">
          To log in with Google, use{" "}
          <a href="/login" target="_blank" rel="noopener" className={authLink}>
            a new tab
          </a>
          . This page then continues by itself.
        </p>
        <div className="flex flex-wrap justify-end gap-2">
          <Button variant="quiet" onClick={leave}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" busy={signIn.isPending} busyLabel="Logging in...">
            Log In
          </Button>
        </div>
      </form>
    </dialog>,
    document.body,
  );
}
