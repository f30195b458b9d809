import { Avatar } from "./avatar";

type Person = { id: string; name: string; src?: string | null | undefined };

type AvatarStackProps = {
  /** Says who they are together, such as "Assigned". */
  label: string;
  people: readonly Person[];
  /** How many are drawn before "+2". */
  max?: number | undefined;
};

/** People as overlapping avatars; their names are read out as a list. */
export function AvatarStack({ label, people, max = 3 }: AvatarStackProps) {
  const shown = people.length > max ? people.slice(0, max - 1) : people;
  const rest = people.length - shown.length;
  return (
    <ul aria-label={label} className="flex" title={people.map((person) => person.name).join(", ")}>
      {shown.map((person) => (
        <li key={person.id} className="-ms-1 first:ms-0">
          <Avatar name={person.name} src={person.src} className="ring-2 ring-raised" />
          <span className="sr-only">{person.name}</span>
        </li>
      ))}
      {rest > 0 && (
        <li className="-ms-1 inline-grid size-7 place-items-center rounded-[9px] bg-grey-soft font-semibold text-meta tracking-tight text-grey ring-2 ring-raised">
          <span aria-hidden="true">+{rest}</span>
          <span className="sr-only">
            {people
              .slice(shown.length)
              .map((person) => person.name)
              .join(", ")}
          </span>
        </li>
      )}
    </ul>
  );
}
