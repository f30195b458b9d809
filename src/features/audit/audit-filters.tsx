import { AUDIT_KINDS } from "@db/event-kinds";
import type { AuditEvent } from "@server/contract/views";
import { ChevronDown, UserRound } from "lucide-react";
import { useState } from "react";
import { useUsers } from "@/features/users/use-users";
import { pageHeading } from "@/lib/page-focus";
import { messageOf } from "@/lib/user-message";
import { Button } from "@/ui/button";
import { Picker, type PickerGroup } from "@/ui/picker";
import { Select } from "@/ui/select";
import { KIND_GROUPS } from "./audit-text";
import type { AuditFilter } from "./use-audit";

type AuditFiltersProps = {
  filter: AuditFilter;
  onChange: (filter: AuditFilter) => void;
  /** The events shown, which may contain the person in the filter. */
  events: readonly AuditEvent[];
  /** Shows "clear". */
  clearable: boolean;
};

/** By person and by kind. */
export function AuditFilters({ filter, onChange, events, clearable }: AuditFiltersProps) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <PersonFilter
        personId={filter.personId}
        events={events}
        onChange={(personId) => onChange({ ...filter, personId })}
      />
      <Select
        variant="button"
        aria-label="Filter by kind"
        value={filter.kind ?? ""}
        onChange={({ target }) => onChange({ ...filter, kind: AUDIT_KINDS.find((kind) => kind === target.value) })}
        className="min-w-0 max-sm:flex-1 max-sm:basis-36 max-sm:[&>select]:w-full"
      >
        <option value="">Everything</option>
        {KIND_GROUPS.map(({ label, kinds }) => (
          <optgroup key={label} label={label}>
            {Object.entries(kinds).map(([kind, filter]) => (
              <option key={kind} value={kind}>
                {filter}
              </option>
            ))}
          </optgroup>
        ))}
      </Select>
      {clearable && <ClearFilters onClear={() => onChange({})} variant="quiet" />}
    </div>
  );
}

/** It disappears when pressed, so the focus moves to the heading. */
export function ClearFilters({ onClear, variant }: { onClear: () => void; variant?: "quiet" }) {
  return (
    <Button
      variant={variant}
      onClick={() => {
        onClear();
        pageHeading()?.focus();
      }}
    >
      Clear filters
    </Button>
  );
}

/** The value of "Everyone" in the picker. */
const EVERYONE = "";

type PersonFilterProps = {
  personId: string | undefined;
  events: readonly AuditEvent[];
  onChange: (personId: string | undefined) => void;
};

function PersonFilter({ personId, events, onChange }: PersonFilterProps) {
  const [isOpen, setOpen] = useState(false);
  const [filter, setFilter] = useState("");
  const people = useUsers({ tab: "all", filter });
  const named = people.items?.find(({ id }) => id === personId)?.name ?? nameIn(events, personId);
  const name = personId === undefined ? "Everyone" : (named ?? "One person");
  const options = (people.items ?? [])
    .map(({ id, name: label }) => ({ value: id, label }))
    .sort((one, other) => one.label.localeCompare(other.label, "en-GB"));
  const groups: PickerGroup[] = [
    ...(personId === undefined ? [] : [{ label: "All", options: [{ value: EVERYONE, label: "Everyone" }] }]),
    { label: "People", options },
  ];
  return (
    <Picker
      label="Search people"
      trigger={
        <Button aria-label={`Filter by person: ${name}`} icon={<UserRound size={16} />} className="max-w-full">
          <bdi className="max-w-32 truncate sm:max-w-48">{name}</bdi>
          <ChevronDown size={16} className="text-ink2" />
        </Button>
      }
      align="start"
      open={isOpen}
      onOpenChange={setOpen}
      groups={groups}
      onSearch={setFilter}
      notice={people.error ? messageOf(people.error) : people.items ? undefined : "Loading people..."}
      emptyLabel="Nobody with that name"
      onChoose={(value) => {
        setOpen(false);
        onChange(value === EVERYONE ? undefined : value);
      }}
    />
  );
}

function nameIn(events: readonly AuditEvent[], personId: string | undefined): string | null | undefined {
  for (const { actor, subject } of events) {
    if (actor?.id === personId) return actor?.name;
    if (subject.type === "person" && subject.id === personId) return subject.name;
  }
  return undefined;
}
