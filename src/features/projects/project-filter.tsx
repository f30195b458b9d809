import type { ProjectFilter } from "@server/contract/projects";
import { ListFilter } from "lucide-react";
import { useMedia } from "@/lib/use-media";
import { Button } from "@/ui/button";
import { Select } from "@/ui/select";
import { FILTER_LABELS } from "./board-filter";
import { FILTERS } from "./board-names";

type FilterProps = { value: ProjectFilter; onValueChange: (filter: ProjectFilter) => void };

/** The board's filter. On a phone the native select appears as an icon, with a dot while a filter is active. */
export function ProjectFilterSelect({ value, onValueChange }: FilterProps) {
  const isWide = useMedia("(width >= 40rem)");
  return (
    <Select
      icon={ListFilter}
      variant={isWide ? "button" : "icon"}
      marked={value !== "all"}
      aria-label="Filter projects"
      value={value}
      onChange={({ target }) => {
        const chosen = FILTERS.find((filter) => filter === target.value);
        if (chosen) onValueChange(chosen);
      }}
    >
      {FILTERS.map((filter) => (
        <option key={filter} value={filter}>
          {FILTER_LABELS[filter]}
        </option>
      ))}
    </Select>
  );
}

/** The active filter's name and a button to remove it, on a phone, where the select shows no text. */
export function ActiveFilter({ value, onClear }: { value: ProjectFilter; onClear: () => void }) {
  if (value === "all") return null;
  return (
    <p className="-mt-1 mb-3 flex items-center justify-between gap-3 text-dense text-ink2 sm:hidden">
      <span>
        Showing <strong className="font-medium text-ink">{FILTER_LABELS[value]}</strong>
      </span>
      <Button variant="quiet" size="sm" onClick={onClear}>
        Show all
      </Button>
    </p>
  );
}
