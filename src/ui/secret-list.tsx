import { type ReactNode, type RefObject, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useRowFocus } from "@/lib/use-row-focus";
import { messageOf } from "@/lib/user-message";
import { Button } from "./button";
import { ConfirmDialog, type ConfirmDialogProps } from "./confirm-dialog";
import { Delayed } from "./delayed";
import { ErrorState } from "./error-state";
import { ShownOnce, type ShownOnceProps } from "./shown-once";
import { Skeleton } from "./skeleton";

type SecretListProps<Row, Made> = {
  query: {
    data: readonly Row[] | undefined;
    error: unknown;
    isPending: boolean;
    isFetching: boolean;
    refetch: () => unknown;
  };
  /** What they are called in the middle of a sentence: "API keys". */
  name: string;
  /** What is said while there are none. */
  empty: string;
  /** One row, an `li` with `rowMark`. */
  row: (row: Row, onRemove: () => void) => ReactNode;
  /** The button that opens the form. */
  create: string;
  form: (events: { onMade: (made: Made) => void; onCancel: () => void }) => ReactNode;
  shown: (made: Made) => Omit<ShownOnceProps, "onDone">;
  removal: Pick<ConfirmDialogProps, "title" | "question" | "confirmLabel" | "busyLabel" | "busy"> & {
    onConfirm: (row: Row, onSettled: () => void) => void;
    /** What is about to be removed. */
    subject: (row: Row) => ReactNode;
  };
};

/** Things that come with a secret: their list, a form for a new one, its secret shown once, and a question before one is removed. */
export function SecretList<Row extends { id: string }, Made>(props: SecretListProps<Row, Made>) {
  const { data, error, isPending, isFetching, refetch } = props.query;
  return (
    <Delayed pending={isPending} label={`Loading ${props.name}`} skeleton={<Skeleton className="h-12 w-full" />}>
      {() =>
        data ? (
          <Rows {...props} rows={data} />
        ) : (
          <ErrorState message={messageOf(error)} busy={isFetching} onRetry={() => void refetch()} className="py-4" />
        )
      }
    </Delayed>
  );
}

function Rows<Row extends { id: string }, Made>({
  rows,
  removal,
  ...props
}: Omit<SecretListProps<Row, Made>, "query"> & { rows: readonly Row[] }) {
  const [asked, setAsked] = useState<Row | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const createButton = useRef<HTMLButtonElement>(null);
  const finalFocus = useRowFocus(box, {
    rows,
    fallback: () => createButton.current ?? box.current?.closest("section")?.querySelector("h2"),
  });
  const { onConfirm, subject, ...question } = removal;
  const forget = () => setAsked(null);
  return (
    <div ref={box} className="grid gap-4">
      {rows.length > 0 && (
        <ul aria-label={capitalised(props.name)}>{rows.map((one) => props.row(one, () => setAsked(one)))}</ul>
      )}
      <Creation {...props} isEmpty={rows.length === 0} button={createButton} />
      <ConfirmDialog
        {...question}
        open={asked !== null}
        onOpenChange={forget}
        onConfirm={() => asked && onConfirm(asked, forget)}
        finalFocus={finalFocus}
      >
        {asked && subject(asked)}
      </ConfirmDialog>
    </div>
  );
}

type CreationProps<Made> = Pick<SecretListProps<never, Made>, "empty" | "create" | "form" | "shown"> & {
  isEmpty: boolean;
  button: RefObject<HTMLButtonElement | null>;
};

function Creation<Made>({ isEmpty, button, empty, create, form, shown }: CreationProps<Made>) {
  const [isOpen, setOpen] = useState(false);
  const [made, setMade] = useState<Made | null>(null);
  function close(): void {
    flushSync(() => {
      setOpen(false);
      setMade(null);
    });
    button.current?.focus();
  }
  if (made) return <ShownOnce {...shown(made)} onDone={close} />;
  if (isOpen) return form({ onMade: setMade, onCancel: close });
  return (
    <>
      {isEmpty && <p className="text-ink2">{empty}</p>}
      <Button ref={button} className="justify-self-start max-sm:justify-self-stretch" onClick={() => setOpen(true)}>
        {create}
      </Button>
    </>
  );
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
