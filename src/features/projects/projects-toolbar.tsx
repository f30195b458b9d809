import { PROJECT_STATUSES, type ProjectStatus } from "@db/enums";
import { ListFilter } from "lucide-react";
import type { Ref } from "react";
import { countLabel } from "@/features/projects/board-filter";
import { MAX_SEARCH_LENGTH } from "@/features/projects/board-search";
import { ExportMenu } from "@/features/projects/export-menu";
import { statusMeta } from "@/features/projects/project-status";
import { SearchInput } from "@/ui/search-input";
import { Select } from "@/ui/select";

type ProjectsToolbarProps = {
  text: string;
  onTextChange: (text: string) => void;
  status: ProjectStatus | undefined;
  onStatusChange: (status: ProjectStatus | undefined) => void;
  shown: number;
  total: number;
  ref: Ref<HTMLInputElement>;
};

/** Filters the list of all projects, and shows how many match. */
export function ProjectsToolbar({
  text,
  onTextChange,
  status,
  onStatusChange,
  shown,
  total,
  ref,
}: ProjectsToolbarProps) {
  return (
    <div className="mb-3.5 flex flex-wrap items-center gap-x-3 gap-y-2">
      <SearchInput
        ref={ref}
        label="Filter by title, client or key"
        maxLength={MAX_SEARCH_LENGTH}
        value={text}
        onChange={({ target }) => onTextChange(target.value)}
        className="w-full sm:w-auto sm:max-w-[300px] sm:grow sm:basis-40"
      />
      <Select
        icon={ListFilter}
        variant="button"
        aria-label="Filter by status"
        value={status ?? ""}
        onChange={({ target }) => onStatusChange(PROJECT_STATUSES.find((one) => one === target.value))}
      >
        <option value="">All statuses</option>
        {PROJECT_STATUSES.map((one) => (
          <option key={one} value={one}>
            {statusMeta(one).label}
          </option>
        ))}
      </Select>
      <p role="status" className="ms-auto text-dense text-ink2">
        {shown === total ? countLabel(total) : `${shown} of ${countLabel(total)}`}
      </p>
      <ExportMenu scope="all" />
    </div>
  );
}
