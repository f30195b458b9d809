import type { Person } from "@server/contract/views";
import { type ComponentProps, type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from "react";
import { cn } from "@/lib/cn";
import { fold } from "@/lib/fold";
import { isComposing } from "@/lib/is-composing";
import { announce } from "@/ui/announce";
import { Avatar } from "@/ui/avatar";
import { insertMention, type MentionText, mentionAt } from "./mention-text";

type MentionInputProps = Omit<ComponentProps<"textarea">, "value" | "onChange" | "children"> & {
  value: MentionText;
  onChange: (value: MentionText) => void;
  /** Who can be mentioned; undefined until known. */
  people: readonly Person[] | undefined;
  /** On which side of the text the list of people opens. */
  side: "above" | "below";
};

const MAX_SHOWN = 8;
const ROLES: Record<Person["accountType"], string> = { user: "User", admin: "Admin", client: "Client" };

/**
 * A text field in which "@" offers people: arrows move, Enter and Tab choose, Escape closes the list. The focus stays in the text;
 * the list is described to assistive technology as the text's own.
 */
export function MentionInput({ value, onChange, people, side, onKeyDown, className, ...rest }: MentionInputProps) {
  const input = useRef<HTMLTextAreaElement>(null);
  const listId = useId();
  const [caret, setCaret] = useState<number | null>(null);
  const [active, setActive] = useState(0);
  /** Where the "@" stands whose list was closed. */
  const [closedAt, setClosedAt] = useState<number | null>(null);
  const nextCaret = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (nextCaret.current === null) return;
    input.current?.setSelectionRange(nextCaret.current, nextCaret.current);
    nextCaret.current = null;
  });

  const written = caret === null ? null : mentionAt(value.text, caret);
  const found = written && written.from !== closedAt ? findPeople(people ?? [], written.query) : [];
  const isOpen = found.length > 0;
  const at = Math.min(active, found.length - 1);
  const optionId = (person: Person) => `${listId}-${person.id}`;

  function follow(): void {
    const { selectionStart, selectionEnd } = input.current ?? { selectionStart: 0, selectionEnd: 1 };
    setCaret(selectionStart === selectionEnd ? selectionStart : null);
  }
  function choose(person: Person | undefined): void {
    if (!person || !written || caret === null) return;
    const { caret: next, ...text } = insertMention(value, { person, from: written.from, caret });
    nextCaret.current = next;
    setCaret(next);
    setActive(0);
    onChange(text);
  }
  function onListKey(event: KeyboardEvent<HTMLTextAreaElement>): boolean {
    if (!isOpen || isComposing(event)) return false;
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) setActive((at + step + found.length) % found.length);
    else if ((event.key === "Enter" && !event.ctrlKey && !event.metaKey) || event.key === "Tab") choose(found[at]);
    else if (event.key === "Escape") setClosedAt(written?.from ?? null);
    else return false;
    event.preventDefault();
    // The dialog around listens on the document.
    event.stopPropagation();
    return true;
  }
  return (
    <div className="relative min-w-0 flex-1">
      <textarea
        {...rest}
        ref={input}
        dir={value.text === "" ? undefined : "auto"}
        value={value.text}
        onChange={({ target }) => {
          if (written === null) announceOffer(people, mentionAt(target.value, target.selectionStart)?.query);
          setActive(0);
          setClosedAt(null);
          onChange({ ...value, text: target.value });
          follow();
        }}
        onSelect={follow}
        onBlur={() => setCaret(null)}
        onKeyDown={(event) => {
          if (!onListKey(event)) onKeyDown?.(event);
        }}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-controls={isOpen ? listId : undefined}
        aria-activedescendant={found[at] && optionId(found[at])}
        className={className}
      />
      {isOpen && (
        <div
          id={listId}
          role="listbox"
          aria-label="People to mention"
          className={cn(
            "absolute inset-x-0 z-20 max-h-60 max-w-[320px] overflow-y-auto overscroll-contain rounded-[12px] border border-line bg-raised p-1 shadow-2",
            side === "above" ? "bottom-full mb-2" : "top-full mt-1",
          )}
        >
          {found.map((person, index) => (
            <Option
              key={person.id}
              id={optionId(person)}
              person={person}
              isActive={index === at}
              onChoose={() => choose(person)}
            />
          ))}
        </div>
      )}
    </div>
  );
}

type OptionProps = { id: string; person: Person; isActive: boolean; onChoose: () => void };

function Option({ id, person, isActive, onChoose }: OptionProps) {
  const row = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (isActive) row.current?.scrollIntoView({ block: "nearest" });
  }, [isActive]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the text field has the focus and handles the keys.
    <div
      ref={row}
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
      className={cn(
        "flex min-h-11 cursor-pointer items-center gap-2.5 rounded-control px-2.5 py-1.5 text-body hover:bg-hover pointer-fine:min-h-9",
        isActive && "bg-hover",
      )}
    >
      <Avatar name={person.name} src={person.profileImgLink} size={24} />
      <bdi className="min-w-0 flex-1 truncate">{person.name}</bdi>
      <span className="text-ink2 text-meta">{ROLES[person.accountType]}</span>
    </div>
  );
}

/** A list that opens is seen at once; this says it. */
function announceOffer(people: readonly Person[] | undefined, query: string | undefined): void {
  const count = query === undefined ? 0 : findPeople(people ?? [], query).length;
  if (count > 0) announce(`${count === 1 ? "1 person" : `${count} people`} to mention. Arrows choose, Enter inserts.`);
}

/** Those whose name has a word that begins so; whoever's first name does comes first. */
function findPeople(people: readonly Person[], query: string): Person[] {
  const wanted = fold(query);
  const names = people.map((person) => ({ person, name: fold(person.name) }));
  const starting = names.filter(({ name }) => name.startsWith(wanted));
  const within = names.filter(({ name }) => !name.startsWith(wanted) && name.includes(` ${wanted}`));
  return [...starting, ...within].slice(0, MAX_SHOWN).map(({ person }) => person);
}
