import { TEMPLATE_MESSAGES } from "@server/contract/messages/templates";
import type { ProjectTemplate } from "@server/contract/views";
import type { Ref } from "react";
import { Unread } from "@/features/users/people-picker";
import { Field } from "@/ui/field";
import { Select } from "@/ui/select";
import { useTemplates } from "./use-templates";

type TemplateFieldProps = {
  ref: Ref<HTMLSelectElement>;
  /** Null for none. */
  chosen: ProjectTemplate | null;
  onChoose: (template: ProjectTemplate | null) => void;
};

/** Which template a new project is made of. */
export function TemplateField({ ref, chosen, onChoose }: TemplateFieldProps) {
  const query = useTemplates();
  const templates = query.data ?? [];
  const isEmpty = query.data?.length === 0;
  return (
    <Field
      label="Template"
      mark="optional"
      hint={query.isLoadingError ? <Unread query={query} /> : isEmpty && TEMPLATE_MESSAGES.empty}
      className="mb-4"
    >
      <Select
        ref={ref}
        value={chosen?.id ?? ""}
        onChange={({ target }) => onChoose(templates.find(({ id }) => id === target.value) ?? null)}
      >
        <option value="">No template</option>
        {templates.map(({ id, title }) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </Select>
    </Field>
  );
}
