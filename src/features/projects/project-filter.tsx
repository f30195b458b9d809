import type { ProjectFilter } from "@server/contract/projects";
import { ListFilter } from "lucide-react";
import { useMedia } from "@/lib/use-media";
import { Select } from "@/ui/select";
import { FILTER_LABELS } from "./board-filter";
import { FILTERS } from "./board-names";

type FilterProps = { value: ProjectFilter; onValueChange: (filter: ProjectFilter) => void };

/** Which projects the board shows; on a phone an icon over the same native select. */
export function ProjectFilterSelect({ value, onValueChange }: FilterProps) {
  const isWide = useMedia("(width >= 40rem)");
  return (
    <Select
      icon={ListFilter}
      variant={isWide ? "button" : "icon"}
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
