import { ORGANISATION_MESSAGES } from "@server/contract/messages/organisation";
import { type OrganisationPatch, updateOrganisationSchema } from "@server/contract/organisation";
import type { OrganisationSettings as Settings } from "@server/contract/views";
import { useEffect, useMemo } from "react";
import { useForm } from "react-hook-form";
import { liveFormOf, useLiveForm } from "@/lib/use-live-form";
import { useSubmitOnce } from "@/lib/use-submit-once";
import { fieldErrorsOf, messageOf } from "@/lib/user-message";
import { Button } from "@/ui/button";
import { Checkbox } from "@/ui/checkbox";
import { Delayed } from "@/ui/delayed";
import { ErrorState } from "@/ui/error-state";
import { Field } from "@/ui/field";
import { InlineAlert } from "@/ui/inline-alert";
import { Skeleton } from "@/ui/skeleton";
import { Steady } from "@/ui/steady";
import { TextArea } from "@/ui/text-area";
import { TextInput } from "@/ui/text-input";
import { listTimeZoneNames } from "./time-zone-names";
import { useOrganisation, useUpdateOrganisation } from "./use-organisation";

const WEEK_DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"] as const;
const TIME_ZONES = listTimeZoneNames();

type OrganisationSettingsProps = {
  /** Must be stable between renders. */
  onDirtyChange: (isDirty: boolean) => void;
};

/** What holds for everyone: two-factor sign-in of admins, time zone, business hours and holidays. */
export function OrganisationSettings({ onDirtyChange }: OrganisationSettingsProps) {
  const { data, isPending, isFetching, error, refetch } = useOrganisation();
  return (
    <Delayed pending={isPending} label="Loading the organisation" skeleton={<Skeleton className="h-64 w-full" />}>
      {() =>
        data ? (
          <SettingsForm settings={data} onDirtyChange={onDirtyChange} />
        ) : (
          <ErrorState message={messageOf(error)} busy={isFetching} onRetry={() => void refetch()} className="py-4" />
        )
      }
    </Delayed>
  );
}

type Values = {
  requireTwoFactorForAdmins: boolean;
  timeZone: string;
  /** As checkboxes give them: the numbers of the chosen days. */
  days: string[];
  from: string;
  to: string;
  /** One day a line. */
  holidays: string;
};

function valuesOf({ requireTwoFactorForAdmins, timeZone, businessHours, holidays }: Settings): Values {
  return {
    requireTwoFactorForAdmins: requireTwoFactorForAdmins ?? false,
    timeZone,
    days: businessHours.days.map(String),
    from: businessHours.from,
    to: businessHours.to,
    holidays: holidays.join("\n"),
  };
}

const FIELDS = ["requireTwoFactorForAdmins", "timeZone", "days", "from", "to", "holidays"] as const;

/** Of the changed fields and days alone: what another admin has saved meanwhile stays. */
function patchOf(values: Values, { changed, began }: { changed: readonly (keyof Values)[]; began: Values }) {
  const { days, from, to } = values;
  const isChanged = (field: keyof Values) => changed.includes(field);
  const hours = {
    ...(isChanged("days") && { days: days.map(Number) }),
    ...(isChanged("from") && { from }),
    ...(isChanged("to") && { to }),
  };
  return {
    ...(isChanged("requireTwoFactorForAdmins") && { requireTwoFactorForAdmins: values.requireTwoFactorForAdmins }),
    ...(isChanged("timeZone") && { timeZone: values.timeZone.trim() }),
    ...(Object.keys(hours).length > 0 && { businessHours: hours }),
    ...(isChanged("holidays") && { holidays: splitDays(values.holidays), holidaysBefore: splitDays(began.holidays) }),
  } satisfies OrganisationPatch;
}

function splitDays(text: string): string[] {
  return text.split(/[\s,]+/).filter((day) => day !== "");
}

/** Where an error of the patch is shown. */
function fieldOf(path: string): keyof Values | null {
  const [first, second] = path.split(".");
  if (first === ("businessHours" satisfies keyof OrganisationPatch))
    return second === "from" || second === "to" ? second : "days";
  return first === "timeZone" || first === "holidays" ? first : null;
}

function SettingsForm({ settings, onDirtyChange }: OrganisationSettingsProps & { settings: Settings }) {
  const update = useUpdateOrganisation();
  const live = useMemo(() => valuesOf(settings), [settings]);
  const form = useForm<Values>({ defaultValues: live });
  const { register, handleSubmit, setError, formState } = form;
  const { errors, isDirty } = formState;
  const liveForm = useLiveForm({ fields: FIELDS, live, form: liveFormOf(form, FIELDS) });
  useEffect(() => onDirtyChange(isDirty), [isDirty, onDirtyChange]);

  /** Each at its field; the first one gets the focus. */
  function complain(found: [path: string, message: string][]): void {
    for (const [at, [path, message]] of found.entries()) {
      const field = fieldOf(path);
      if (field) setError(field, { type: "custom", message }, { shouldFocus: at === 0 });
    }
  }
  const submit = useSubmitOnce(
    handleSubmit(async (values) => {
      update.reset();
      const { saved, ...edits } = liveForm.begin();
      const parsed = updateOrganisationSchema.safeParse(patchOf(values, edits));
      if (!parsed.success) {
        complain(parsed.error.issues.map(({ path, message }) => [path.join("."), message]));
        return;
      }
      try {
        saved(valuesOf(await update.mutateAsync(parsed.data)));
      } catch (error) {
        complain(Object.entries(fieldErrorsOf(error)));
      }
    }),
  );
  const failure = update.error && Object.keys(fieldErrorsOf(update.error)).length === 0 ? update.error : null;
  return (
    <form noValidate aria-label="Organisation" onSubmit={(event) => void submit(event)} className="grid gap-4">
      <Checkbox label="Require two-factor sign-in for admins" {...register("requireTwoFactorForAdmins")} />
      <Field label="Time zone" required error={errors.timeZone?.message} hint="For business hours and nightly backups.">
        <TextInput list="time-zones" autoComplete="off" spellCheck={false} {...register("timeZone")} />
      </Field>
      <datalist id="time-zones">
        {TIME_ZONES.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <fieldset aria-describedby={errors.days ? "days-error" : undefined}>
        <legend className="font-medium text-dense">Business days</legend>
        <div className="flex flex-wrap gap-x-5">
          {WEEK_DAYS.map((name, at) => (
            <Checkbox key={name} label={name} value={at + 1} {...register("days")} />
          ))}
        </div>
        <Steady>
          {errors.days && (
            <p id="days-error" className="text-dense text-red">
              {errors.days.message}
            </p>
          )}
        </Steady>
      </fieldset>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field label="From" required error={errors.from?.message}>
          <TextInput type="time" {...register("from")} />
        </Field>
        <Field label="To" required error={errors.to?.message}>
          <TextInput type="time" {...register("to")} />
        </Field>
      </div>
      <Field label="Holidays" error={errors.holidays?.message} hint="One date per line, such as 2026-12-25.">
        <TextArea rows={4} {...register("holidays")} />
      </Field>
      <Steady>
        {failure && (
          <InlineAlert tone="red">
            {ORGANISATION_MESSAGES.saveFailed}
            <p>{messageOf(failure)}</p>
          </InlineAlert>
        )}
      </Steady>
      <Button
        type="submit"
        busy={update.isPending}
        busyLabel="Saving..."
        className="justify-self-start max-sm:justify-self-stretch"
      >
        Save Settings
      </Button>
    </form>
  );
}
