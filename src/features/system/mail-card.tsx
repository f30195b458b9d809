import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { SYSTEM_MESSAGES } from "@server/contract/messages/system";
import { type SystemStatus, type TestMailResult, testMailSchema } from "@server/contract/system";
import { useForm } from "react-hook-form";
import { useMe } from "@/features/auth/use-auth";
import { formatInstantInText } from "@/lib/format";
import { useUnsavedForm } from "@/lib/unsaved-forms";
import { useSubmitOnce } from "@/lib/use-submit-once";
import { fieldErrorsOf, messageOf } from "@/lib/user-message";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { InlineAlert } from "@/ui/inline-alert";
import { Steady } from "@/ui/steady";
import { EmailInput } from "@/ui/text-input";
import { SystemCard } from "./system-card";
import { describeTestMail } from "./system-text";
import { useSendTestMail } from "./use-system";

/** What waits to be sent, why it does, and a mail to see whether mail arrives. */
export function MailCard({ mail }: { mail: SystemStatus["mail"] }) {
  const { queued, retrying, sent, givenUp, oldestAt, lastError, isConfigured, from } = mail;
  return (
    <SystemCard
      title="Email"
      lead={
        <>
          <p>
            {isConfigured
              ? `Emails are sent as ${from}.`
              : "There is no mail server: emails are only written to the outbox folder and reach nobody."}
            {oldestAt && ` The oldest has waited since ${formatInstantInText(oldestAt)}.`}
          </p>
          <p>
            {`${sent.toLocaleString("en-GB")} ${isConfigured ? "accepted by the mail server" : "written"} since yesterday.`}
            {retrying > 0 && ` ${retrying.toLocaleString("en-GB")} failed and will be tried again.`}
            {givenUp > 0 && ` ${givenUp.toLocaleString("en-GB")} given up after two days of trying.`}
          </p>
          {lastError && <p className="text-red">The last error: {lastError}.</p>}
        </>
      }
      figure={queued.toLocaleString("en-GB")}
      figureLabel="waiting"
    >
      <TestMailForm />
    </SystemCard>
  );
}

const TONES = { accepted: "green", refused: "red", written: "orange" } as const satisfies Record<
  TestMailResult["outcome"],
  string
>;

function TestMailForm() {
  const { email } = useMe();
  const send = useSendTestMail();
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: standardSchemaResolver(testMailSchema),
    defaultValues: { to: email },
  });
  const { errors, isDirty } = formState;
  useUnsavedForm(() => isDirty && !send.isSuccess);
  const submit = useSubmitOnce(
    handleSubmit(async (input) => {
      try {
        await send.mutateAsync(input);
      } catch (error) {
        const { to } = fieldErrorsOf(error);
        if (to) setError("to", { type: "server", message: to }, { shouldFocus: true });
      }
    }),
  );
  const isRefusedByField = fieldErrorsOf(send.error).to !== undefined;
  return (
    <form
      noValidate
      aria-label="Test email"
      onSubmit={(event) => void submit(event)}
      className="grid gap-3 border-line border-t pt-4"
    >
      <div className="flex flex-wrap items-start gap-3">
        <Field
          label="Send a test email to"
          error={errors.to?.message}
          hint="It skips the queue, and the mail server's answer appears here."
          className="min-w-0 flex-1 basis-64"
        >
          <EmailInput {...register("to")} />
        </Field>
        <Button type="submit" busy={send.isPending} busyLabel="Sending..." className="sm:mt-6">
          Send test email
        </Button>
      </div>
      <Steady>
        {send.data && !send.isPending && (
          <InlineAlert tone={TONES[send.data.outcome]} className="[overflow-wrap:anywhere]">
            {describeTestMail(send.data)}
          </InlineAlert>
        )}
        {send.error && !isRefusedByField && (
          <InlineAlert tone="red">
            {SYSTEM_MESSAGES.testMailFailed} {messageOf(send.error)}
          </InlineAlert>
        )}
      </Steady>
    </form>
  );
}
