import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { type EditedProject, type ProjectForm, projectFormSchema } from "@server/contract/projects";
import { type UseFormReturn, useForm } from "react-hook-form";
import { fieldErrorsOf } from "@/lib/user-message";
import { isField, type ProjectFormValues } from "./project-form-values";

export type ProjectFormControl = UseFormReturn<ProjectForm, unknown, EditedProject>;

/** The form of a project, for creating and editing. A field is validated on blur, all fields on submit. */
export function useProjectForm(values: ProjectFormValues): ProjectFormControl {
  return useForm<ProjectForm, unknown, EditedProject>({
    resolver: standardSchemaResolver(projectFormSchema),
    defaultValues: values,
    mode: "onTouched",
  });
}

/** Shows the server's validation errors on their fields and focuses the first. */
export function showFieldErrors(form: ProjectFormControl, error: unknown): void {
  const complaints = Object.entries(fieldErrorsOf(error));
  for (const [at, [field, message]] of complaints.entries()) {
    if (isField(field)) form.setError(field, { type: "server", message }, { shouldFocus: at === 0 });
  }
}
