import { HOLDING_PARTS, type HoldingPart, type Holdings } from "@server/contract/handovers";
import type { AdminUser } from "@server/contract/views";
import { messageOf } from "@/lib/user-message";
import { Button } from "@/ui/button";
import { InlineAlert } from "@/ui/inline-alert";
import { Select } from "@/ui/select";
import { Skeleton } from "@/ui/skeleton";
import { useSteady } from "@/ui/steady";
import { type HandoverChoices, useHoldings } from "./use-holdings";
import { useAssignable } from "./use-users";

type HoldingsChoiceProps = {
  user: AdminUser;
  choices: HandoverChoices;
  onChange: (choices: HandoverChoices) => void;
  disabled: boolean;
};

/** What somebody holds, with a choice for each part: to whom it goes, or that it stays. Nothing for who holds nothing. */
export function HoldingsChoice({ user, choices, onChange, disabled }: HoldingsChoiceProps) {
  const holdings = useSteady(useHoldings(user.id, { enabled: user.accountType !== "client" }));
  const people = useAssignable().data?.filter(({ id }) => id !== user.id) ?? [];
  if (holdings.isError) {
    return (
      <InlineAlert tone="red" className="mt-3">
        What they hold could not be loaded. {messageOf(holdings.error)}{" "}
        <Button size="sm" busy={holdings.isFetching} onClick={() => void holdings.refetch()}>
          Retry
        </Button>
      </InlineAlert>
    );
  }
  if (user.accountType === "client") return null;
  if (!holdings.data) return <Skeleton className="mt-3 h-24" />;
  const { data } = holdings;
  const held = HOLDING_PARTS.filter((part) => data[part] > 0);
  if (held.length === 0) return null;
  return (
    <fieldset className="mt-4 grid gap-2.5 border-line border-t pt-3" disabled={disabled}>
      <legend className="sr-only">What they hold</legend>
      {held.map((part) => (
        <div key={part} className="grid items-center gap-x-3 gap-y-1 sm:grid-cols-[minmax(0,1fr)_12rem]">
          <span className="text-dense">{describeHolding(part, data)}</span>
          <Select
            aria-label={`Who takes over: ${describeHolding(part, data)}`}
            value={choices[part] ?? ""}
            onChange={({ target }) => onChange({ ...choices, [part]: target.value || undefined })}
          >
            <option value="">Leave with them</option>
            {people
              .filter(({ accountType }) => part !== "conversations" || accountType === "admin")
              .map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
          </Select>
        </div>
      ))}
    </fieldset>
  );
}

function describeHolding(part: HoldingPart, { tasks, managerOf, conversations, requests }: Holdings): string {
  if (part === "tasks") return count(tasks, "open task");
  if (part === "conversations") return count(conversations, "conversation");
  const projects = `Manages ${count(managerOf, "project")}`;
  return requests === 0 ? projects : `${projects}, ${count(requests, "undecided request")}`;
}

function count(number: number, noun: string): string {
  return number === 1 ? `1 ${noun}` : `${number} ${noun}s`;
}
