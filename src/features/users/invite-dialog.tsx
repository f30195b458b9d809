import { ACCOUNT_TYPES } from "@db/enums";
import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { type Invite, inviteSchema } from "@server/contract/invitations";
import { ACCOUNT_TYPE_LABELS } from "@server/contract/labels";
import { INVITATION_MESSAGES } from "@server/contract/messages/invitations";
import { Controller, useForm, useWatch } from "react-hook-form";
import type { z } from "zod/mini";
import { useDiscardGuard } from "@/features/projects/use-discard-guard";
import { useProjects } from "@/features/projects/use-projects";
import { useSubmitOnce } from "@/lib/use-submit-once";
import { fieldErrorsOf, messageOf } from "@/lib/user-message";
import { ChipsCombobox } from "@/ui/chips-combobox";
import { Field } from "@/ui/field";
import { FormDialog } from "@/ui/form-dialog";
import { InlineAlert } from "@/ui/inline-alert";
import { Select } from "@/ui/select";
import { Steady } from "@/ui/steady";
import { EmailInput, TextInput } from "@/ui/text-input";
import { Unread } from "./people-picker";
import { useInvite } from "./use-invitations";

type Values = z.input<typeof inviteSchema>;

const BLANK: Values = { name: "", email: "", accountType: "user", projectIds: [] };
const FIELDS = ["name", "email", "accountType", "projectIds"] as const;

const TYPE_HINTS: Record<Values["accountType"], string> = {
  user: "Users see and edit the projects they take part in.",
  client: "Clients see their own projects and can't change them.",
  admin: "Admins see every project and user.",
};

type InviteDialogProps = { open: boolean; onClose: () => void };

/** "Invite people". Keeps what is typed when it is refused; only Discard drops it. */
export function InviteDialog({ open, onClose }: InviteDialogProps) {
  const invite = useInvite();
  const form = useForm<Values, unknown, Invite>({
    resolver: standardSchemaResolver(inviteSchema),
    defaultValues: BLANK,
    mode: "onTouched",
  });
  const { formState, handleSubmit, register, reset, setError } = form;
  const { errors, isDirty } = formState;

  function leave(): void {
    onClose();
    reset(BLANK);
    invite.reset();
  }
  const guard = useDiscardGuard({
    isDirty: open && isDirty && !invite.isSuccess,
    isBusy: open && invite.isPending,
    onDiscard: () => reset(BLANK),
  });
  const send = handleSubmit(async (person) => {
    try {
      await invite.mutateAsync(person);
      leave();
    } catch (error) {
      for (const [at, [path, message]] of Object.entries(fieldErrorsOf(error)).entries()) {
        const field = FIELDS.find((name) => path === name || path.startsWith(`${name}.`));
        if (field) setError(field, { type: "server", message }, { shouldFocus: at === 0 });
      }
    }
  });
  const submit = useSubmitOnce(send);
  const isRefusedByField = Object.keys(fieldErrorsOf(invite.error)).length > 0;
  return (
    <FormDialog
      open={open}
      onLeave={() => guard.leave(leave)}
      title="Invite people"
      description="They get a link by email and are active as soon as they have chosen a password."
      submit="Send invitation"
      busy={invite.isPending}
      busyLabel="Sending..."
    >
      {(formId) => (
        <>
          <form id={formId} noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
            <Steady>
              {invite.error && !isRefusedByField && (
                <InlineAlert tone="red">
                  {INVITATION_MESSAGES.sendFailed} {messageOf(invite.error)}
                </InlineAlert>
              )}
            </Steady>
            <Field label="Full name" required error={errors.name?.message}>
              <TextInput autoComplete="off" {...register("name")} />
            </Field>
            <Field label="Email" required error={errors.email?.message}>
              <EmailInput autoComplete="off" {...register("email")} />
            </Field>
            <TypeField form={form} />
            <ProjectsField form={form} />
          </form>
          {guard.question}
        </>
      )}
    </FormDialog>
  );
}

type FormProps = { form: ReturnType<typeof useForm<Values, unknown, Invite>> };

function TypeField({ form: { control, register, formState } }: FormProps) {
  const accountType = useWatch({ control, name: "accountType" });
  return (
    <Field label="Account type" hint={TYPE_HINTS[accountType]} error={formState.errors.accountType?.message}>
      <Select {...register("accountType")}>
        {ACCOUNT_TYPES.map((type) => (
          <option key={type} value={type}>
            {ACCOUNT_TYPE_LABELS[type]}
          </option>
        ))}
      </Select>
    </Field>
  );
}

function ProjectsField({ form: { control, formState } }: FormProps) {
  const accountType = useWatch({ control, name: "accountType" });
  const projects = useProjects({ scope: "all" });
  const isClient = accountType === "client";
  return (
    <Controller
      control={control}
      name="projectIds"
      render={({ field }) => {
        const offered = projects.data?.items ?? [];
        return (
          <Field
            label="Projects"
            mark="optional"
            error={formState.errors.projectIds?.message}
            hint={
              projects.isLoadingError ? (
                <Unread query={projects} />
              ) : isClient ? (
                "The person becomes their client, or one of the client's people where there is a client."
              ) : (
                "The person is assigned to them."
              )
            }
          >
            <ChipsCombobox
              options={offered.map(({ id, key, title, client }) => ({
                value: id,
                label: title,
                description: isClient && client ? `${key}, client ${client.name}` : key,
              }))}
              value={field.value ?? []}
              onValueChange={field.onChange}
              onBlur={field.onBlur}
              unknownLabel={projects.isPending ? "Loading…" : "No longer available"}
              emptyLabel={projects.isPending ? "Loading projects" : "No matches"}
            />
          </Field>
        );
      }}
    />
  );
}
