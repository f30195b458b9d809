import { useEffect } from "react";
import { type Resolver, useForm } from "react-hook-form";
import { useSubmitOnce } from "@/lib/use-submit-once";
import { fieldErrorsOf, messageOf } from "@/lib/user-message";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { InlineAlert } from "@/ui/inline-alert";
import { PasswordInput } from "@/ui/password-input";
import { TextInput } from "@/ui/text-input";
import { type NewToken, readTokenForm, type TokenForm as TokenFormFields, tokenComplaints } from "./token-form-values";
import { useSetToken } from "./use-token";

const FIELDS = ["token", "owners"] as const;

const resolver: Resolver<TokenFormFields, unknown, NewToken> = (values) => {
  const read = readTokenForm(values);
  if ("fields" in read) return { values: read.fields, errors: {} };
  const { token, owners } = read.complaints;
  return {
    values: {},
    errors: {
      ...(token && { token: { type: "custom", message: token } }),
      ...(owners && { owners: { type: "custom", message: owners } }),
    },
  };
};

type TokenFormProps = {
  /** For whom the present token is used. */
  owners: readonly string[];
  isReplacing: boolean;
  onDirtyChange: (isDirty: boolean) => void;
  onSaved: () => void;
  /** Absent where there is nothing to go back to. */
  onCancel?: (() => void) | undefined;
};

/** The token and for whom it may be used. What is typed stays through every refusal; it is kept nowhere but in the fields. */
export function TokenForm({ owners, isReplacing, onDirtyChange, onSaved, onCancel }: TokenFormProps) {
  const save = useSetToken();
  const { register, handleSubmit, setError, getValues, formState } = useForm<TokenFormFields, unknown, NewToken>({
    resolver,
    mode: "onTouched",
    defaultValues: { token: "", owners: owners.join(", ") },
  });
  const { errors, isDirty } = formState;
  useEffect(() => {
    onDirtyChange(isDirty);
    return () => onDirtyChange(false);
  }, [isDirty, onDirtyChange]);

  const submit = useSubmitOnce(
    handleSubmit(async (fields) => {
      try {
        await save.mutateAsync(fields);
      } catch (error) {
        const complaints = tokenComplaints(fieldErrorsOf(error), getValues());
        for (const field of FIELDS.toReversed()) {
          const message = complaints[field];
          if (message) setError(field, { type: "server", message }, { shouldFocus: true });
        }
        return;
      }
      onSaved();
    }),
  );
  const isToldInPlace = Object.keys(tokenComplaints(fieldErrorsOf(save.error), { token: "", owners: "" })).length > 0;
  return (
    <form noValidate aria-label="Repository token" onSubmit={(event) => void submit(event)} className="grid gap-4">
      <Field
        label={isReplacing ? "New token" : "Token"}
        required
        error={errors.token?.message}
        hint="Needs to read the contents of your repositories, nothing more. It is kept encrypted and never shown again."
      >
        <PasswordInput autoComplete="off" data-1p-ignore data-lpignore="true" {...register("token")} />
      </Field>
      <Field
        label="Accounts and organisations"
        required
        error={errors.owners?.message}
        hint="Owners of the repositories for which it may be used, with commas between them. All others are read without it."
      >
        <TextInput
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="sangam-software"
          {...register("owners")}
        />
      </Field>
      {save.error && !isToldInPlace && (
        <InlineAlert tone="red">{messageOf(save.error)} What you typed is still here.</InlineAlert>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" busy={save.isPending} busyLabel="Asking GitHub..." className="max-sm:flex-1">
          {isReplacing ? "Replace Token" : "Save Token"}
        </Button>
        {onCancel && (
          <Button variant="quiet" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
    </form>
  );
}
