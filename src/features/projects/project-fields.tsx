import { PROJECT_STATUSES } from "@db/enums";
import { PROJECT_MESSAGES } from "@server/contract/messages/projects";
import { completeRepoLink } from "@server/contract/repo";
import { parseRepo } from "@server/contract/repo-name";
import type { Project } from "@server/contract/views";
import { isWebUrl } from "@server/contract/web-url";
import { Controller, useFormState, useWatch } from "react-hook-form";
import { absentLabel, personOption, Unread } from "@/features/users/people-picker";
import { useAssignable, useClients } from "@/features/users/use-users";
import { type ChipOption, ChipsCombobox } from "@/ui/chips-combobox";
import { Field } from "@/ui/field";
import { Select } from "@/ui/select";
import { TextArea } from "@/ui/text-area";
import { TextInput } from "@/ui/text-input";
import { clientPeopleOf } from "./project-form-values";
import { PROJECT_LABELS } from "./project-labels";
import { clientName, peopleOf } from "./project-people";
import { statusMeta } from "./project-status";
import type { ProjectFormControl } from "./use-project-form";

/** The grid of a form with `ProjectFields`. */
export const projectFormGrid = "grid gap-4 sm:grid-cols-6";
const HALF = "sm:col-span-3";
const THIRD = "sm:col-span-2";

type ProjectFieldsProps = {
  form: ProjectFormControl;
  /** The edited project, whose people can always be chosen. */
  project?: Project | undefined;
  /** Always assigned: chips that cannot be removed. Spec 5. */
  fixed?: readonly ChipOption[] | undefined;
};

/** The fields of a project, in the specification's order; a grid of six columns from 640 px. */
export function ProjectFields({ form, project, fixed }: ProjectFieldsProps) {
  const { register, control } = form;
  const { errors } = useFormState({ control });
  const status = useWatch({ control, name: "status" });
  const assignable = useAssignable();
  return (
    <>
      <Field label={PROJECT_LABELS.title} error={errors.title?.message} required className="sm:col-span-6">
        <TextInput {...register("title")} dir="auto" autoComplete="off" />
      </Field>
      <Field label={PROJECT_LABELS.description} error={errors.description?.message} required className="sm:col-span-6">
        <TextArea {...register("description")} dir="auto" />
      </Field>
      <Field label={PROJECT_LABELS.startDate} error={errors.startDate?.message} required className={HALF}>
        <TextInput type="date" {...register("startDate", { deps: "dueDate" })} />
      </Field>
      <Field label={PROJECT_LABELS.dueDate} mark="optional" error={errors.dueDate?.message} className={HALF}>
        <TextInput type="date" {...register("dueDate")} />
      </Field>
      <Field label={PROJECT_LABELS.status} error={errors.status?.message} required className={THIRD}>
        <Select icon={statusMeta(status).icon} {...register("status")}>
          {PROJECT_STATUSES.map((value) => (
            <option key={value} value={value}>
              {statusMeta(value).label}
            </option>
          ))}
        </Select>
      </Field>
      <ClientField form={form} project={project} error={errors.clientId?.message} />
      <Field label={PROJECT_LABELS.projectType} mark="optional" error={errors.projectType?.message} className={THIRD}>
        <TextInput {...register("projectType")} dir="auto" placeholder="Website, support" autoComplete="off" />
      </Field>
      <ClientPeopleField form={form} project={project} error={errors.clientPeople?.message} />
      <RepoField form={form} error={errors.githubRepo?.message} />
      <Field label={PROJECT_LABELS.liveLink} mark="optional" error={errors.liveLink?.message} className={HALF}>
        <TextInput type="url" inputMode="url" placeholder="https://" autoComplete="off" {...register("liveLink")} />
      </Field>
      <PeopleField
        form={form}
        name="assignedTo"
        people={assignable}
        label={PROJECT_LABELS.assignedTo}
        project={project}
        fixed={fixed}
        error={errors.assignedTo?.message}
      />
      <PeopleField
        form={form}
        name="managers"
        people={assignable}
        label={PROJECT_LABELS.managers}
        project={project}
        error={errors.managers?.message}
      />
    </>
  );
}

type OneFieldProps = Pick<ProjectFieldsProps, "form" | "project"> & { error: string | undefined };

function ClientField({ form, project, error }: OneFieldProps) {
  const clients = useClients();
  const offered = clients.data ?? [];
  return (
    <Controller
      control={form.control}
      name="clientId"
      render={({ field }) => {
        const chosen = field.value ?? "";
        const isPresent = chosen !== "" && chosen === project?.clientId;
        const isMissing = chosen !== "" && !isPresent && !offered.some(({ id }) => id === chosen);
        return (
          <Field
            label={PROJECT_LABELS.clientId}
            // A draft may hold a client who was deactivated since.
            error={error ?? (isMissing && clients.data ? PROJECT_MESSAGES.clientGone : undefined)}
            hint={clients.isLoadingError && <Unread query={clients} />}
            className={THIRD}
          >
            <Select
              {...field}
              value={chosen}
              onChange={(event) => {
                field.onChange(event);
                const further = clientPeopleOf(event.target.value, form.getValues("clientPeople") ?? [], project);
                form.setValue("clientPeople", further, { shouldDirty: true });
              }}
            >
              <option value="">{PROJECT_MESSAGES.noClient}</option>
              {isPresent && !offered.some(({ id }) => id === chosen) && (
                <option value={chosen}>{clientName(project)}</option>
              )}
              {isMissing && <option value={chosen}>{absentLabel(clients)}</option>}
              {offered.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          </Field>
        );
      }}
    />
  );
}

function RepoField({ form, error }: OneFieldProps) {
  const link = (useWatch({ control: form.control, name: "githubRepo" }) ?? "").trim();
  const isNoRepo = isWebUrl(link) && parseRepo(link) === null;
  const repo = form.register("githubRepo");
  return (
    <Field
      label={PROJECT_LABELS.githubRepo}
      mark="optional"
      error={error}
      hint={isNoRepo && "No commit activity for this link"}
      className={HALF}
    >
      <TextInput
        {...repo}
        inputMode="url"
        placeholder="https://github.com/owner/repo"
        autoComplete="off"
        spellCheck={false}
        onBlur={async (event) => {
          const typed = event.target.value.trim();
          const complete = completeRepoLink(typed);
          if (complete !== typed) form.setValue("githubRepo", complete, { shouldDirty: true });
          await repo.onBlur(event);
        }}
      />
    </Field>
  );
}

/** Further people of the client; there are none without a client. */
function ClientPeopleField(props: OneFieldProps) {
  const { form } = props;
  const clients = useClients();
  const clientId = useWatch({ control: form.control, name: "clientId" });
  if (!clientId) return null;
  return (
    <PeopleField
      {...props}
      name="clientPeople"
      label={PROJECT_LABELS.clientPeople}
      people={clients}
      without={clientId}
      hint={PROJECT_MESSAGES.clientPeopleHint}
      className="sm:col-span-6"
    />
  );
}

type PeopleFieldProps = OneFieldProps & {
  name: "assignedTo" | "managers" | "clientPeople";
  label: string;
  /** Who can be chosen, but for the id of `without`. */
  people: ReturnType<typeof useAssignable>;
  without?: string;
  hint?: string;
  fixed?: readonly ChipOption[] | undefined;
  className?: string;
};

function PeopleField({
  form,
  name,
  label,
  people,
  project,
  fixed,
  error,
  className = HALF,
  ...rest
}: PeopleFieldProps) {
  const { without, hint } = rest;
  const offered = (people.data ?? []).filter(({ id }) => id !== without);
  const present = project ? peopleOf(project, project[name]) : [];
  const options = [...offered, ...present.filter(({ id }) => !offered.some((person) => person.id === id))].map(
    personOption,
  );
  return (
    <Controller
      control={form.control}
      name={name}
      render={({ field }) => {
        const chosen = field.value ?? [];
        const isMissing = chosen.some((id) => !options.some(({ value }) => value === id));
        return (
          <Field
            label={label}
            error={error ?? (isMissing && people.data ? PROJECT_MESSAGES.personGone : undefined)}
            mark={name === "clientPeople" ? "optional" : undefined}
            hint={people.isLoadingError ? <Unread query={people} /> : hint}
            className={className}
          >
            <ChipsCombobox
              options={options}
              fixed={fixed}
              value={chosen}
              onValueChange={field.onChange}
              onBlur={field.onBlur}
              unknownLabel={absentLabel(people)}
              emptyLabel={people.isPending ? "Loading people" : "No matches"}
            />
          </Field>
        );
      }}
    />
  );
}
