import { Avatar } from "./avatar";

type Person = { id: string; name: string; src?: string | null | undefined };

type AvatarStackProps = {
  /** Says who they are together, such as "Assigned". */
  label: string;
  people: readonly Person[];
  /** How many are drawn before "+2". */
  max?: number | undefined;
};

/**
 * People as avatars side by side, so that all initials can be read; screen readers get a list of names. They are the images'
 * own: hidden text beside each would be hundreds of layers on a board, through which the browser looks at each press.
 */
export function AvatarStack({ label, people, max = 3 }: AvatarStackProps) {
  const shown = people.length > max ? people.slice(0, max - 1) : people;
  const rest = people.length - shown.length;
  return (
    <ul aria-label={label} className="flex gap-0.5" title={namesOf(people)}>
      {shown.map((person) => (
        <li key={person.id} className="flex">
          <Avatar isNamed name={person.name} src={person.src} size={24} />
        </li>
      ))}
      {rest > 0 && (
        <li className="flex">
          <span
            role="img"
            aria-label={namesOf(people.slice(shown.length))}
            className="inline-grid size-6 place-items-center rounded-[8px] bg-grey-soft font-semibold text-meta tracking-tight text-grey"
          >
            +{rest}
          </span>
        </li>
      )}
    </ul>
  );
}

function namesOf(people: readonly Person[]): string {
  return people.map(({ name }) => name).join(", ");
}
