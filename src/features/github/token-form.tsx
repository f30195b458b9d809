import type { NewToken } from "@server/contract/github";
import type { TokenStatus } from "@server/contract/views";
import { useEffect, useEffectEvent, useState } from "react";
import { type Resolver, useForm } from "react-hook-form";
import { useSubmitOnce } from "@/lib/use-submit-once";
import { fieldErrorsOf } from "@/lib/user-message";
import { Field } from "@/ui/field";
import { FormButtons } from "@/ui/form-buttons";
import { PasswordInput } from "@/ui/password-input";
import { TextArea } from "@/ui/text-area";
import { readTokenForm, type TokenForm as TokenFormFields, tokenFieldErrors } from "./token-form-values";
import { useSetToken } from "./use-token";

const FIELDS = ["token", "owners"] as const;
const TOKEN_HINT =
  "It needs read access to repository contents, nothing more. It is stored encrypted and never shown again.";

type ResolverContext = { mayKeep: boolean };

const resolver: Resolver<TokenFormFields, ResolverContext, NewToken> = (values, context) => {
  const read = readTokenForm(values, { mayKeep: context?.mayKeep ?? false });
  if ("fields" in read) return { values: read.fields, errors: {} };
  const { token, owners } = read.fieldErrors;
  return {
    values: {},
    errors: {
      ...(token && { token: { type: "custom", message: token } }),
      ...(owners && { owners: { type: "custom", message: owners } }),
    },
  };
};

type TokenFormProps = {
  /** The current token's status. */
  status: TokenStatus;
  /** The user opened the form: the first field takes the focus. */
  takesFocus: boolean;
  onDirtyChange: (isDirty: boolean) => void;
  /** It is being saved: the form stays until `onSaved`, also where no token was set before. */
  onSend: () => void;
  onSaved: () => void;
  /** Absent when no token is set. */
  onCancel?: (() => void) | undefined;
};

/**
 * The token and the owners it is used for. A failed attempt keeps the input, which is stored nowhere but in the fields. What is
 * typed during a save stays, and so does the form.
 */
export function TokenForm({ status, takesFocus, onDirtyChange, onSend, onSaved, onCancel }: TokenFormProps) {
  const { configured, owners, lastFour, lastResult } = status;
  const mayKeep = configured && lastResult !== "unreadable";
  const save = useSetToken();
  // The owners go with every save: what another admin adds or removes meanwhile has to stay so.
  const [ownersBefore, setOwnersBefore] = useState(owners);
  const form = useForm<TokenFormFields, ResolverContext, NewToken>({
    resolver,
    context: { mayKeep },
    mode: "onTouched",
    defaultValues: { token: "", owners: ownersBefore.join(", ") },
  });
  const { register, handleSubmit, setError, setFocus, getValues, setValue, reset, formState } = form;
  const { errors, isDirty } = formState;
  const begin = useEffectEvent(() => takesFocus && setFocus("token"));
  useEffect(() => void begin(), []);
  useEffect(() => {
    onDirtyChange(isDirty);
    return () => onDirtyChange(false);
  }, [isDirty, onDirtyChange]);

  const submit = useSubmitOnce(
    handleSubmit(async (fields) => {
      if (fields.token === undefined && fields.owners.join() === ownersBefore.join()) return onSaved();
      const sent = getValues();
      onSend();
      try {
        await save.mutateAsync({ ...fields, ownersBefore });
      } catch (error) {
        const fieldErrors = tokenFieldErrors(fieldErrorsOf(error), getValues());
        for (const field of FIELDS.toReversed()) {
          const message = fieldErrors[field];
          if (message) setError(field, { type: "server", message }, { shouldFocus: true });
        }
        return;
      }
      const now = getValues();
      if (FIELDS.every((field) => now[field] === sent[field])) onSaved();
      else goOn(fields.owners, now.token === sent.token ? { ...now, token: "" } : now);
    }),
  );
  /** What was typed while it was saved is not in what was saved. */
  function goOn(saved: string[], typed: TokenFormFields): void {
    // Those that were sent: the text knows of no others, and may not remove them.
    setOwnersBefore(saved);
    reset({ token: "", owners: saved.join(", ") }, { keepValues: true });
    for (const field of FIELDS) setValue(field, typed[field], { shouldDirty: true });
  }
  const isShownAtField = Object.keys(tokenFieldErrors(fieldErrorsOf(save.error), { token: "", owners: "" })).length > 0;
  return (
    <form noValidate aria-label="Repository token" onSubmit={(event) => void submit(event)} className="grid gap-4">
      <Field
        label={configured ? "New token" : "Token"}
        mark={mayKeep ? "optional" : undefined}
        required={!mayKeep}
        error={errors.token?.message}
        hint={`${mayKeep ? `Leave it empty to keep the one ending in ${lastFour}. ` : ""}${TOKEN_HINT}`}
      >
        <PasswordInput autoComplete="off" data-1p-ignore data-lpignore="true" {...register("token")} />
      </Field>
      <Field
        label="Accounts and organisations"
        required
        error={errors.owners?.message}
        hint="The owners whose repositories may be read with the token, separated by commas or new lines. All others are read without it."
      >
        <TextArea
          rows={1}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="sangam-software"
          className="min-h-0"
          {...register("owners")}
        />
      </Field>
      <FormButtons
        submit={configured ? "Save Changes" : "Save Token"}
        variant={onCancel ? "primary" : "secondary"}
        busyLabel="Checking..."
        busy={save.isPending}
        onCancel={onCancel}
        error={isShownAtField ? null : save.error}
      />
    </form>
  );
}
