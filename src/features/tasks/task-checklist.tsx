import { checklistTextSchema } from "@server/contract/tasks";
import type { ChecklistItem } from "@server/contract/views";
import { ArrowDown, ArrowUp, ChevronsUpDown, Plus, Trash2 } from "lucide-react";
import {
  type FormEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from "react";
import { useMe } from "@/features/auth/use-auth";
import { cn } from "@/lib/cn";
import { isComposing } from "@/lib/is-composing";
import { newKey } from "@/lib/new-key";
import { mayTakeFocus } from "@/lib/page-focus";
import { rowAction, rowMark, useRowFocus } from "@/lib/use-row-focus";
import { ActionMenu } from "@/ui/action-menu";
import { announce } from "@/ui/announce";
import { CheckboxInput } from "@/ui/checkbox";
import { Complaint } from "@/ui/complaint";
import { IconButton } from "@/ui/icon-button";
import { ProgressThread } from "@/ui/progress-thread";
import { useSteady } from "@/ui/steady";
import { VisuallyHidden } from "@/ui/visually-hidden";
import { TaskStatusIcon } from "./read-only-tasks";
import { FieldTrouble, SavedMark } from "./save-state";
import { takeLine, useKeptLine } from "./task-drafts";
import type { TaskPart } from "./task-edits";
import { CHECKLIST } from "./task-edits";
import { type FieldSave, useFieldSave } from "./use-field-save";

const MAX_ITEMS = 100;
const ADD_LABEL = "Add an item";

/** The steps of a task: ticked, written, moved and removed in place. Whoever only reads sees none when there are none. */
export function TaskChecklist({ task, project, taskKey }: TaskPart) {
  const saving = useFieldSave({ task, taskKey, field: CHECKLIST });
  const headingId = useId();
  const items = saving.shown;
  const done = items.filter((item) => item.done).length;
  if (!project.canEdit && items.length === 0) return null;
  return (
    <section data-field="" aria-labelledby={headingId} className="mb-6">
      <div className="mb-1 flex min-h-7 items-center gap-3">
        <h3 id={headingId} className="font-medium font-sans text-dense text-ink2 tracking-normal">
          {CHECKLIST.label}
        </h3>
        {items.length > 0 && (
          <>
            <span className="text-ink2 text-meta">{`${done} of ${items.length}`}</span>
            <ProgressThread done={done} total={items.length} hideLabel className="flex-1" />
          </>
        )}
        {project.canEdit && <SavedMark saving={saving} className="ms-auto" />}
      </div>
      {project.canEdit ? (
        <Editable saving={saving} taskId={task.id} headingId={headingId} />
      ) : (
        <ReadOnly items={items} />
      )}
      <FieldTrouble
        label={CHECKLIST.label}
        saving={saving}
        live={task.checklist}
        describe={(list) => list.map(({ text }) => text).join("\n")}
      />
    </section>
  );
}

function ReadOnly({ items }: { items: readonly ChecklistItem[] }) {
  return (
    <ul>
      {items.map(({ id, text, done }) => (
        <li key={id} className="flex items-start gap-2.5 py-1.5">
          <TaskStatusIcon status={done ? "completed" : "todo"} className="mt-px" />
          <span dir="auto" className={cn("min-w-0 [overflow-wrap:anywhere]", done && "text-ink3 line-through")}>
            <VisuallyHidden>{done ? "Completed: " : "Open: "}</VisuallyHidden>
            {text}
          </span>
        </li>
      ))}
    </ul>
  );
}

type EditableProps = { saving: FieldSave<ChecklistItem[]>; taskId: string; headingId: string };

function Editable({ saving: { shown: items, save }, taskId, headingId }: EditableProps) {
  const list = useRef<HTMLUListElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [line, setLine] = useKeptLine(taskId);
  useWordsOfRemoved(items, (words) => {
    setLine([line?.trim(), words].filter(Boolean).join(" "));
    announce(`The item was removed. Your text is in "${ADD_LABEL}".`);
    if (mayTakeFocus(list.current)) input.current?.focus();
  });
  // Whoever presses something leaves the field that they typed in, which saves: rows that came or went then would move what is pressed.
  const drawn = useSteady(items);
  useRowFocus(list, { rows: drawn.map(({ id }) => id).join(), fallback: () => input.current });
  const patch = (id: string, change: Partial<ChecklistItem>) =>
    void save(items.map((item) => (item.id === id ? { ...item, ...change } : item)));
  function remove(id: string): void {
    const item = items.find((one) => one.id === id);
    // Removed already by leaving it empty.
    if (!item) return;
    void save(items.filter((one) => one !== item));
    announce(`Removed: ${item.text}`);
  }
  function move(id: string, step: -1 | 1): void {
    const at = items.findIndex((one) => one.id === id);
    const item = items[at];
    const to = at + step;
    if (!item || to < 0 || to >= items.length) return;
    void save(items.toSpliced(at, 1).toSpliced(to, 0, item));
    announce(`${item.text}: ${to + 1} of ${items.length}`);
  }
  return (
    <>
      <ul ref={list} aria-labelledby={headingId}>
        {drawn.map((item, at) => (
          <Item
            key={item.id}
            item={item}
            isFirst={at === 0}
            isLast={at === drawn.length - 1}
            onChange={(change) => patch(item.id, change)}
            onRemove={() => remove(item.id)}
            onMove={(step) => move(item.id, step)}
          />
        ))}
      </ul>
      {items.length < MAX_ITEMS ? (
        <AddItem
          ref={input}
          line={line}
          setLine={setLine}
          onAdd={(text) => void save([...items, { id: newKey(), text, done: false }])}
        />
      ) : (
        <p className="py-1.5 text-dense text-ink2">A checklist holds at most {MAX_ITEMS} items.</p>
      )}
    </>
  );
}

type ItemProps = {
  item: ChecklistItem;
  isFirst: boolean;
  isLast: boolean;
  onChange: (change: Partial<ChecklistItem>) => void;
  onRemove: () => void;
  onMove: (step: -1 | 1) => void;
};

function Item({ item, isFirst, isLast, onChange, onRemove, onMove }: ItemProps) {
  const { id, text, done } = item;
  const [latest, setTyped] = useKeptLine(id);
  const typed = useSteady(latest);
  const check = useTextCheck();
  function commit(): void {
    const next = latest?.trim();
    if (next && next !== text && !check.isRight(next)) return;
    restore();
    if (next === "") onRemove();
    else if (next !== undefined && next !== text) onChange({ text: next });
  }
  function restore(): void {
    setTyped(null);
    check.clear();
  }
  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    if (event.altKey && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
      event.preventDefault();
      event.stopPropagation();
      onMove(event.key === "ArrowUp" ? -1 : 1);
    }
  }
  function onTextKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if (isComposing(event)) return;
    if (event.key === "Enter") {
      event.preventDefault();
      commit();
    }
    if (event.key !== "Escape" || typed === null) return;
    event.preventDefault();
    event.stopPropagation();
    restore();
  }
  return (
    <li
      {...rowMark(id)}
      onKeyDownCapture={onKeyDown}
      className="group/item relative -mx-2 flex flex-wrap items-start gap-x-2 rounded-control px-2 hover:bg-hover"
    >
      <CheckboxInput
        {...rowAction}
        tone="done"
        aria-label={text}
        checked={done}
        onChange={({ target }) => onChange({ done: target.checked })}
        className="my-2 pointer-coarse:my-3"
      />
      <textarea
        dir="auto"
        aria-label={`Text of ${text}`}
        value={typed ?? text}
        rows={Math.max(1, Math.ceil((typed ?? text).length / 40))}
        onChange={({ target }) => {
          setTyped(target.value.replace(/\s*\n\s*/g, " "));
          check.clear();
        }}
        onBlur={commit}
        onKeyDown={onTextKeyDown}
        {...check.field}
        className={cn(
          "field-sizing-content min-w-0 flex-1 resize-none rounded-check bg-transparent px-1 py-[7px] text-reading leading-[22px] pointer-coarse:py-[11px] sm:text-body",
          "[overflow-wrap:anywhere] focus-visible:-outline-offset-1",
          done && typed === null && "text-ink3 line-through",
        )}
      />
      <span className="flex shrink-0 rounded-control py-1 pointer-coarse:-space-x-2 pointer-coarse:py-0 pointer-fine:absolute pointer-fine:end-1 pointer-fine:top-0 pointer-fine:bg-hover pointer-fine:opacity-0 pointer-fine:group-focus-within/item:opacity-100 pointer-fine:group-hover/item:opacity-100">
        {!(isFirst && isLast) && (
          <ActionMenu
            label={`Move ${text}`}
            trigger={
              <IconButton icon={ChevronsUpDown} label={`Move item: ${text}`} shortcut="Alt+Up, Alt+Down" size="sm" />
            }
            entries={[
              { label: "Move up", icon: ArrowUp, disabled: isFirst, onSelect: () => onMove(-1) },
              { label: "Move down", icon: ArrowDown, disabled: isLast, onSelect: () => onMove(1) },
            ]}
          />
        )}
        <IconButton
          icon={Trash2}
          label={`Remove item: ${text}`}
          size="sm"
          onClick={() => {
            // What was too long to be saved goes with it.
            restore();
            onRemove();
          }}
        />
      </span>
      {check.complaint}
    </li>
  );
}

/** Whether a text may be an item's, and the complaint where it may not. */
function useTextCheck() {
  const [message, setMessage] = useState<string | null>(null);
  const id = useId();
  return {
    isRight(text: string): boolean {
      const { error } = checklistTextSchema.safeParse(text);
      setMessage(error?.issues[0]?.message ?? null);
      return !error;
    },
    clear: () => setMessage(null),
    field: message === null ? {} : { "aria-invalid": true, "aria-describedby": id },
    complaint: (
      <Complaint id={id} className="basis-full ps-8 pb-1.5">
        {message}
      </Complaint>
    ),
  };
}

/** Somebody else has removed an item in whose text words were typed: they go on in the line for a new one. */
function useWordsOfRemoved(items: readonly ChecklistItem[], takeOver: (words: string) => void): void {
  const me = useMe();
  const before = useRef(items);
  const onRemoved = useEffectEvent(takeOver);
  useEffect(() => {
    const ids = new Set(items.map(({ id }) => id));
    const removed = before.current.filter(({ id }) => !ids.has(id));
    before.current = items;
    const words = removed.flatMap(({ id }) => takeLine(me.id, id)?.trim() || []).join(" ");
    if (words !== "") onRemoved(words);
  }, [items, me.id]);
}

type AddItemProps = {
  ref: RefObject<HTMLInputElement | null>;
  line: string | null;
  setLine: (line: string | null) => void;
  onAdd: (text: string) => void;
};

/** Enter adds, and the field is ready for the next one; what was typed is added when the field is left, too. */
function AddItem({ ref, line, setLine, onAdd }: AddItemProps) {
  const text = line ?? "";
  const check = useTextCheck();
  function add(event?: FormEvent): void {
    event?.preventDefault();
    const wanted = text.trim();
    if (wanted === "" || !check.isRight(wanted)) return;
    setLine(null);
    onAdd(wanted);
    announce(`Added: ${wanted}`);
  }
  function change(next: string | null): void {
    setLine(next);
    check.clear();
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (isComposing(event)) return;
    if (event.key !== "Escape" || text === "") return;
    event.preventDefault();
    event.stopPropagation();
    change(null);
  }
  return (
    <form
      onSubmit={add}
      className="-mx-2 flex flex-wrap items-center gap-x-2 rounded-control px-2 focus-within:bg-hover hover:bg-hover"
    >
      <Plus size={16} className="mx-0.5 shrink-0 text-ink3" />
      <input
        ref={ref}
        type="text"
        dir={text ? "auto" : undefined}
        aria-label={ADD_LABEL}
        placeholder={ADD_LABEL}
        value={text}
        onChange={({ target }) => change(target.value || null)}
        onBlur={() => add()}
        onKeyDown={onKeyDown}
        autoComplete="off"
        enterKeyHint="done"
        {...check.field}
        className="h-9 min-w-0 flex-1 rounded-check bg-transparent px-1 text-reading placeholder:text-ink3 focus-visible:-outline-offset-1 pointer-coarse:h-11 sm:text-body"
      />
      {check.complaint}
    </form>
  );
}
